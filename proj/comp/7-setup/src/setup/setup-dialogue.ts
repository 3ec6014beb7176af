import {
  ANTHROPIC, ENV_VARIABLES, keyFor, OPENAI, OPENROUTER, type AgentSettings,
} from '../../../2-config/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { SetupChanges } from './setup-write.js'
import { verifyKey } from './verify-key.js'

type Clack = typeof import('@clack/prompts')

/** The terminal for questions, and the signal that ends them. */
export interface DialogueStreams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  signal: AbortSignal
  /** Discards what was typed before a question is shown: it answers nothing. */
  discard: () => Promise<void>
}

const OWN = 'own'

/**
 * Asks for a server, its key, a model, and on request for the other keys. Keys are typed without echo. Writes nothing.
 *
 * @throws HermesError `CANCELLED`
 */
export async function askSetup(settings: AgentSettings, at: DialogueStreams): Promise<SetupChanges> {
  const clack = await import('@clack/prompts')
  const changes: SetupChanges = { settings: {}, variables: {} }
  clack.intro('hermes setup', at)
  clack.log.message(`Keys go to ${settings.home}/.env (mode 600), the rest to ${settings.home}/config.yaml. `
    + 'Enter keeps what is there.', at)
  await at.discard()
  const baseURL = await askServer(clack, settings, at)
  if (baseURL !== settings.baseURL) changes.settings['base_url'] = baseURL
  const name = keyFor(baseURL)
  const key = await askVariable(clack, name, settings.env[name] !== undefined, at)
  if (key !== '') changes.variables[name] = key
  const model = await askText(clack, 'Model, as the server calls it', settings.model ?? '', at)
  if (model !== '' && model !== settings.model) changes.settings['model'] = model
  const known = key === '' ? settings.env[name] : key
  if (known !== undefined && await answer(
    clack.confirm({
      message: `Ask ${new URL(baseURL).host} now whether the key works? (one request)`, initialValue: false, ...at,
    }),
    clack, at,
  )) {
    const { works, detail } = await verifyKey(baseURL, known, at.signal)
    if (works === true) clack.log.success(detail, at)
    else clack.log.warn(detail, at)
  }
  const others = ENV_VARIABLES.filter(({ isAsked, isOfEnvironment }) => isAsked !== true && isOfEnvironment !== true)
  const chosen = await answer(clack.multiselect({
    message: 'Set others as well? (space chooses, Enter goes on)', required: false, ...at,
    options: others.map((variable) => ({
      value: variable.name, label: variable.prompt,
      hint: `${settings.env[variable.name] === undefined ? '' : 'set; '}${variable.description}`,
    })),
  }), clack, at)
  for (const id of chosen) {
    const value = await askVariable(clack, id, settings.env[id] !== undefined, at)
    if (value !== '') changes.variables[id] = value
  }
  clack.outro('That is all.', at)
  return changes
}

/** Asks for the value of one variable, without echo if it is secret. @throws HermesError `CANCELLED` */
export async function askValue(name: string, at: DialogueStreams): Promise<string> {
  const clack = await import('@clack/prompts')
  await at.discard()
  return askVariable(clack, name, false, at)
}

async function askServer(clack: Clack, { baseURL }: AgentSettings, at: DialogueStreams): Promise<string> {
  const isOwn = ![OPENROUTER, OPENAI, ANTHROPIC].includes(baseURL)
  const server = await answer(clack.select({
    message: 'Where is the model?', initialValue: isOwn ? OWN : baseURL, ...at,
    options: [
      { value: OPENROUTER, label: 'OpenRouter', hint: 'models of all makers' }, { value: OPENAI, label: 'OpenAI' },
      { value: ANTHROPIC, label: 'Anthropic' },
      { value: OWN, label: 'Another server', hint: 'that speaks the OpenAI or Anthropic format' },
    ],
  }), clack, at)
  if (server !== OWN) return server
  const url = await askText(clack, 'Its address, e.g. http://localhost:11434/v1', isOwn
    ? baseURL : '', at, (typed) => (URL.canParse(typed) ? undefined : 'Write an address: https://…/v1'))
  return url.replace(/\/+$/, '')
}

/** Asks for a variable; an empty value leaves it as it is. */
async function askVariable(clack: Clack, name: string, isSet: boolean, at: DialogueStreams): Promise<string> {
  const { prompt = name, url, password = true } = ENV_VARIABLES.find((envVariable) => envVariable.name === name) ?? {}
  const message = `${prompt} (${name})${url === undefined ? '' : `, from ${url}`}; `
    + (isSet ? 'set already, Enter keeps it' : 'Enter for none')
  if (!password) return askText(clack, message, '', at)
  return (await answer(clack.password({ message, mask: '•', ...at }), clack, at) ?? '').trim()
}

async function askText(
  clack: Clack, message: string, initialValue: string, at: DialogueStreams,
  check: (typed: string) => string | undefined = () => undefined,
): Promise<string> {
  const typed = await answer(clack.text({
    message, initialValue: escapeControls(initialValue), ...at, validate: (value) => check((value ?? '').trim()),
  }), clack, at)
  return (typed ?? '').trim()
}

async function answer<Value>(
  asked: Promise<Value>, clack: Clack, at: DialogueStreams,
): Promise<Exclude<Value, symbol>> {
  const value = await asked
  if (!clack.isCancel(value)) return value as Exclude<Value, symbol>
  clack.cancel('Nothing was written.', at)
  throw new HermesError('CANCELLED', 'The setup was cancelled: nothing was written')
}
