import { ENV_VARIABLES, keyFor, OPENAI, OPENROUTER, type AgentSettings } from '../../config/src/index.js'
import { HermesError } from '../../contracts/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import type { SetupChanges } from './setup-write.js'
import { verifyKey } from './verify-key.js'

type Clack = typeof import('@clack/prompts')
const OWN = 'own'

/**
 * Asks for a server, its key, a model, and on request for the other keys. Keys are typed unseen. Nothing is written.
 *
 * @throws HermesError `CANCELLED`
 */
export async function askSetup(settings: AgentSettings, signal: AbortSignal): Promise<SetupChanges> {
  const clack = await import('@clack/prompts')
  const changes: SetupChanges = { settings: {}, variables: {} }
  clack.intro('hermes setup')
  clack.log.message(`Keys go to ${settings.home}/.env (mode 600), the rest to ${settings.home}/config.yaml. `
    + 'Enter keeps what is there.')
  const baseURL = await askServer(clack, settings, signal)
  if (baseURL !== settings.baseURL) changes.settings['base_url'] = baseURL
  const name = keyFor(baseURL)
  const key = await askVariable(clack, name, settings.env[name] !== undefined, signal)
  if (key !== '') changes.variables[name] = key
  const model = await askText(clack, 'Model, as the server calls it', settings.model ?? '', signal)
  if (model !== '' && model !== settings.model) changes.settings['model'] = model
  const known = key === '' ? settings.env[name] : key
  if (known !== undefined && await answer(
    clack.confirm({
      message: `Ask ${new URL(baseURL).host} now whether the key works? (one request)`, initialValue: false, signal,
    }),
    clack,
  )) {
    const { works, detail } = await verifyKey(baseURL, known, signal)
    if (works === true) clack.log.success(detail)
    else clack.log.warn(detail)
  }
  const others = ENV_VARIABLES.filter(({ isAsked, isOfEnvironment }) => isAsked !== true && isOfEnvironment !== true)
  const chosen = await answer(clack.multiselect({
    message: 'Set others as well? (space chooses, Enter goes on)', required: false, signal,
    options: others.map((one) => ({
      value: one.name, label: one.prompt,
      hint: `${settings.env[one.name] === undefined ? '' : 'set; '}${one.description}`,
    })),
  }), clack)
  for (const one of chosen) {
    const value = await askVariable(clack, one, settings.env[one] !== undefined, signal)
    if (value !== '') changes.variables[one] = value
  }
  clack.outro('That is all.')
  return changes
}

/** The value of one variable, typed unseen where it is a secret. @throws HermesError `CANCELLED` */
export async function askValue(name: string, signal: AbortSignal): Promise<string> {
  return askVariable(await import('@clack/prompts'), name, false, signal)
}

async function askServer(clack: Clack, { baseURL }: AgentSettings, signal: AbortSignal): Promise<string> {
  const isOwn = baseURL !== OPENROUTER && baseURL !== OPENAI
  const server = await answer(clack.select({
    message: 'Where is the model?', initialValue: isOwn ? OWN : baseURL, signal,
    options: [
      { value: OPENROUTER, label: 'OpenRouter', hint: 'models of all makers' }, { value: OPENAI, label: 'OpenAI' },
      { value: OWN, label: 'Another server', hint: 'that speaks the OpenAI format' },
    ],
  }), clack)
  if (server !== OWN) return server
  const url = await askText(clack, 'Its address, e.g. http://localhost:11434/v1', isOwn
    ? baseURL : '', signal, (typed) => (URL.canParse(typed) ? undefined : 'Write an address: https://…/v1'))
  return url.replace(/\/+$/, '')
}

/** Empty: it stays as it is. */
async function askVariable(clack: Clack, name: string, isSet: boolean, signal: AbortSignal): Promise<string> {
  const { prompt = name, url, password = true } = ENV_VARIABLES.find((one) => one.name === name) ?? {}
  const message = `${prompt} (${name})${url === undefined ? '' : `, from ${url}`}; `
    + (isSet ? 'set already, Enter keeps it' : 'Enter for none')
  if (!password) return askText(clack, message, '', signal)
  return (await answer(clack.password({ message, mask: '•', signal }), clack) ?? '').trim()
}

async function askText(
  clack: Clack, message: string, initialValue: string, signal: AbortSignal,
  check: (typed: string) => string | undefined = () => undefined,
): Promise<string> {
  const typed = await answer(clack.text({
    message, initialValue: escapeControls(initialValue), signal, validate: (value) => check((value ?? '').trim()),
  }), clack)
  return (typed ?? '').trim()
}

async function answer<Value>(asked: Promise<Value>, clack: Clack): Promise<Exclude<Value, symbol>> {
  const value = await asked
  if (!clack.isCancel(value)) return value as Exclude<Value, symbol>
  clack.cancel('Nothing was written.')
  throw new HermesError('CANCELLED', 'The setup was cancelled: nothing was written')
}
