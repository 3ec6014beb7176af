import { createToken, readListenAddress } from '../../../../2-wire/src/index.js'
import {
  requireServable, serveHttp, servePipe, serveProtocol, serveStdio, writeServerToken, type ServeOptions,
} from '../../../../6-rpc/src/index.js'
import { applyOptions, mappingOption, throwAsFlagError } from '../../setup/apply-options.js'
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
  const [pipe, http, tokenFile] = [args.value('pipe'), args.value('http'), args.value('token-file')]
  if (pipe !== undefined && http !== undefined) {
    throw usageError('--pipe and --http cannot be given together', 'Start a server for each.')
  }
  if (tokenFile !== undefined && http === undefined) {
    throw usageError('--token-file is for --http', 'Only HTTP needs a token.')
  }
  const address = http === undefined ? undefined : readListenAddress(http)
  const interrupt = interruptible()
  const { dryRun: _, root, ...settings } = { ...applyOptions(args), ...mappingOption(args) }
  const token = createToken()
  const options: ServeOptions = {
    settings: { ...settings, root, secrets: { SERVER_TOKEN: token } },
    bounded: pipe !== undefined || http !== undefined || args.has('root'),
    version: version(),
    log: (line) => say(line),
    signal: interrupt.signal,
  }
  await requireServable(options).catch(throwAsFlagError)
  const ended = await interrupt.during(async (): Promise<number> => {
    if (address) {
      let removeToken: (() => void) | undefined
      const onListening = (url: string): void => {
        if (tokenFile !== undefined) removeToken = writeServerToken(tokenFile, token)
        say(`listening at ${url}${tokenFile === undefined ? `, token ${token}` : ''}`)
      }
      await serveHttp(options, { address, token, onListening }).finally(() => removeToken?.())
    } else if (pipe !== undefined) await servePipe(pipe, options, () => say(`listening at ${pipe}`))
    else {
      if (isTerminal('stdin')) say('speaks JSON-RPC on standard input and output; hermes help server has the methods')
      return serveStdio(options)
    }
    return EXIT.ok
  })
  return interrupt.exitCode ?? ended
}
