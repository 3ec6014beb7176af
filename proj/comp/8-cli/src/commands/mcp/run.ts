import { HermesError, type HermesOptions } from '../../../../0-contracts/src/index.js'
import { createToken } from '../../../../2-wire/src/index.js'
import { givenToken, serveMcp } from '../../../../6-mcp/src/index.js'
import { requireServable } from '../../../../6-rpc/src/index.js'
import { applyOptions, asFlagError, throwAsFlagError } from '../../setup/apply-options.js'
import { httpFlags } from '../../setup/http-flags.js'
import { wantedExtensions } from '../../setup/wanted-extensions.js'
import type { Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, isTerminal, say } from '../../io/output.js'

/** `hermes mcp`. Messages for people go to standard error, since standard output may be the connection. */
export async function mcp(args: Arguments, { version }: Program): Promise<number> {
  const given = givenToken(process.env)
  const { address, tell, removeToken } = httpFlags(args)
  const interrupt = interruptible()
  const token = given ?? createToken()
  const { dryRun: _, root, ...settings } = applyOptions(args)
  const options = { ...settings, ...await wantedExtensions(args, true), root, secrets: { SERVER_TOKEN: token } }
  await tellBrokenPolicy(options)
  const onListening = (url: string): void => tell(url, token, given !== undefined)
  if (!address && isTerminal('stdin')) {
    say('speaks the Model Context Protocol on standard input and output; hermes help mcp tells how clients start it')
  }
  await interrupt.during(() => serveMcp({
    options, version: version(), yes: args.has('yes'), signal: interrupt.signal,
    onerror: ({ message }) => say(message), ...(address && { http: { address, token, onListening } }),
  }).catch(throwAsFlagError).finally(removeToken))
  return interrupt.exitCode ?? EXIT.ok
}

/**
 * Reports an invalid policy. Every call does so too, but a server that fails to start tells its user less.
 * @throws HermesError `INVALID_OPTION`
 */
async function tellBrokenPolicy(settings: HermesOptions): Promise<void> {
  try {
    await requireServable({ settings, bounded: true })
  } catch (error) {
    if (!(error instanceof HermesError) || error.code === 'INVALID_OPTION') throw asFlagError(error)
    say(`no call will run: ${error.message}`)
    say('mend that, then start the server again')
  }
}
