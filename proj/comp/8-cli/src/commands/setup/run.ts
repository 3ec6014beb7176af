import { readAgentSettings } from '../../../../2-config/src/index.js'
import {
  askSetup, askValue, renderSetup, requireKnownVariable, verifyKey, writeSetup, type DialogueStreams,
  type SetupChanges,
} from '../../../../7-setup/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { mayAsk } from '../../io/ask-yes.js'
import { withKeys } from '../../../../2-terminal/src/index.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, isTerminal, printFound } from '../../io/output.js'
import { readInput } from '../../io/read-input.js'

/** `hermes setup`: sets keys and the model, by questions or by flags. Keys are never shown. */
export async function setup(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const byFlags = ['model', 'base-url', 'key', 'unset', 'verify'].some((flag) => args.has(flag))
  if (!byFlags && (!mayAsk() || !isTerminal('stdout') || args.has('json'))) {
    throw usageError(
      'There is nobody to ask',
      'Say it by flags: hermes setup --model NAME --key OPENROUTER_API_KEY < file-with-the-key',
    )
  }
  return interrupt.during(async () => {
    const before = await readAgentSettings()
    const changes = byFlags ? await changesOf(args, interrupt.signal)
      : await withKeys(process.stdin, async discard =>
        askSetup(before, terminalOf(interrupt.signal, discard)))
    const written = await writeSetup(changes)
    const after = await readAgentSettings()
    const verdict = args.has('verify') ? await verifyKey(after.baseURL, after.apiKey, interrupt.signal) : undefined
    const { model = null, baseURL, apiKeyName, apiKey } = after
    const isGood = verdict === undefined || verdict.works
    return printFound(args, {
      written, model, baseURL, key: { name: apiKeyName, isSet: apiKey !== undefined },
      ...(verdict && { verified: verdict }),
    }, () => asTyped(renderSetup(written, after, verdict)), isGood ? EXIT.ok : EXIT.failed)
  })
}

async function changesOf(args: Arguments, signal: AbortSignal): Promise<SetupChanges> {
  const [model, baseURL, key] = [args.value('model'), args.value('base-url'), args.value('key')]
  const names = [...(key === undefined ? [] : [key]), ...args.values('unset')]
  for (const name of names) requireKnownVariable(name, name === key)
  const variables: Record<string, string | undefined> = Object.fromEntries(args.values('unset')
    .map((name) => [name, undefined]))
  if (key !== undefined) {
    const value = await valueOf(key, signal)
    if (value === '') throw usageError(
      `There is no value for ${key} on standard input`,
      'Write it there: in the arguments every user of this machine could see it.',
    )
    variables[key] = value
  }
  return {
    settings: { ...(model !== undefined && { model }), ...(baseURL !== undefined && { base_url: baseURL }) }, variables,
  }
}

/** Reads the value from standard input; at a terminal it is typed without echo. */
async function valueOf(name: string, signal: AbortSignal): Promise<string> {
  if (!isTerminal('stdin')) return (await readInput('setup', undefined)).trim()
  if (!mayAsk() || !isTerminal('stdout')) return ''
  return withKeys(process.stdin, async discard => askValue(name, terminalOf(signal, discard)))
}

function terminalOf(signal: AbortSignal, discard: DialogueStreams['discard']): DialogueStreams {
  return { input: process.stdin, output: process.stdout, signal, discard }
}
