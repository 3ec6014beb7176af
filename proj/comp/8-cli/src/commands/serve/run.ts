import { createToken } from '../../../../2-wire/src/index.js'
import {
  requireServable, serveHttp, servePipe, serveProtocol, serveStdio, type ServeOptions,
} from '../../../../6-rpc/src/index.js'
import { applyOptions, mappingOption, throwAsFlagError } from '../../setup/apply-options.js'
import { httpFlags } from '../../setup/http-flags.js'
import { usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, isTerminal, printJson, say } from '../../io/output.js'

/** `hermes serve`. Messages for people go to standard error, since standard output may be the connection. */
export async function serve(args: Arguments, { version }: Program): Promise<number> {
  if (args.has('openrpc')) {
    printJson(serveProtocol())
    return EXIT.ok
  }
  const pipe = args.value('pipe')
  if (pipe !== undefined && args.has('http')) {
    throw usageError('--pipe and --http cannot be given together', 'Start a server for each.')
  }
  const { address, tell, removeToken } = httpFlags(args)
  const interrupt = interruptible()
  const { dryRun: _, root, ...settings } = { ...applyOptions(args), ...mappingOption(args) }
  const token = createToken()
  const options: ServeOptions = {
    settings: { ...settings, root, secrets: { SERVER_TOKEN: token } },
    bounded: ['pipe', 'http', 'root'].some((flag) => args.has(flag)),
    version: version(),
    log: (line) => say(line),
    signal: interrupt.signal,
  }
  await requireServable(options).catch(throwAsFlagError)
  const ended = await interrupt.during(async (): Promise<number> => {
    if (address) {
      await serveHttp(options, { address, token, onListening: (url) => tell(url, token) }).finally(removeToken)
    } else if (pipe !== undefined) await servePipe(pipe, options, () => say(`listening at ${pipe}`))
    else {
      if (isTerminal('stdin')) say('speaks JSON-RPC on standard input and output; hermes help server has the methods')
      return serveStdio(options)
    }
    return EXIT.ok
  })
  return interrupt.exitCode ?? ended
}
