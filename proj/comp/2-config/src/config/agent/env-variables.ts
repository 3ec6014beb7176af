import { isSecretName } from '../../../../0-text/src/index.js'

/** Metadata of a variable of the environment or of `~/.hermes/.env`. */
export interface EnvVariable {
  name: string
  /** Purpose of the variable. */
  description: string
  /** Prompt when the user is asked for it. */
  prompt: string
  /** Where to get a value. */
  url?: string
  /** Tools that need it. */
  tools: readonly string[]
  /** Its value is a secret: not echoed when typed, never shown. */
  password: boolean
  /** `hermes setup` asks for it by default. */
  isAsked?: boolean
  /** Only read from the environment, not from `.env`. */
  isOfEnvironment?: boolean
}

const OF_MODELS = { tools: ['chat', 'cron', 'gateway', 'batch'], password: false }
const KEY_OF_MODELS = { ...OF_MODELS, password: true, isAsked: true }
const OF_COMMANDS = { tools: ['terminal'], password: false }
const OF_EMBEDDINGS = { tools: ['semantic_search'], password: false, isOfEnvironment: true }

/** All variables that hermes reads. */
export const ENV_VARIABLES: readonly EnvVariable[] = [
  {
    ...KEY_OF_MODELS, name: 'OPENROUTER_API_KEY', prompt: 'OpenRouter API key', url: 'https://openrouter.ai/keys',
    description: 'Key for models of all makers through OpenRouter; sent to openrouter.ai only',
  },
  {
    ...KEY_OF_MODELS, name: 'OPENAI_API_KEY', prompt: 'API key', url: 'https://platform.openai.com/api-keys',
    description: 'Key for OpenAI, or for the server that OPENAI_BASE_URL or base_url names',
  },
  {
    ...KEY_OF_MODELS, name: 'ANTHROPIC_API_KEY', prompt: 'Anthropic API key',
    url: 'https://console.anthropic.com/settings/keys',
    description: 'Key for models of Anthropic; sent to api.anthropic.com only',
  },
  {
    ...OF_MODELS, name: 'OPENAI_BASE_URL', prompt: 'Base URL',
    description: 'Address of a server that speaks the OpenAI format, in place of base_url of config.yaml',
  },
  {
    ...OF_MODELS, name: 'HERMES_MODEL', prompt: 'Model', url: 'https://openrouter.ai/models',
    description: 'Name of the model, in place of model of config.yaml',
  },
  {
    name: 'SLACK_BOT_TOKEN', description: 'Token of the Slack app (xoxb-…): writes the answers',
    prompt: 'Slack bot token', url: 'https://api.slack.com/apps', tools: ['gateway'], password: true,
  },
  {
    name: 'SLACK_SIGNING_SECRET', description: 'Signing secret of the Slack app: '
      + 'proves that a request comes from Slack', prompt: 'Slack signing secret',
    url: 'https://api.slack.com/apps', tools: ['gateway'], password: true,
  },
  {
    name: 'HERMES_WEBHOOK_SECRET', description: 'Secret that signs messages of the webhook, both ways; '
      + '16 characters or more', prompt: 'Webhook secret',
    tools: ['gateway'], password: true,
  },
  {
    ...OF_COMMANDS, name: 'TERMINAL_SSH_HOST', prompt: 'SSH host',
    description: 'Host that commands run on with terminal.backend: ssh',
  },
  { ...OF_COMMANDS, name: 'TERMINAL_SSH_USER', description: 'User there', prompt: 'SSH user' },
  {
    ...OF_COMMANDS, name: 'TERMINAL_SSH_KEY', description: 'Path of the private key for it',
    prompt: 'Path of the SSH key',
  },
  { ...OF_COMMANDS, name: 'TERMINAL_SSH_PORT', description: 'Port there, if it is not 22', prompt: 'SSH port' },
  { ...OF_COMMANDS, name: 'TERMINAL_SSH_CWD', description: 'Directory there', prompt: 'Directory on the SSH host' },
  {
    name: 'SUDO_PASSWORD', description: 'Password for sudo: given to sudo alone, where commands run without a sandbox; '
      + 'masked wherever it appears', prompt: 'sudo password',
    tools: ['terminal'], password: true,
  },
  {
    name: 'HERMES_QUEUE_PASSWORD', description: 'Password of the Redis server that --queue names',
    prompt: 'Password of the queue', tools: ['replay', 'batch', 'worker'], password: true, isOfEnvironment: true,
  },
  {
    ...OF_EMBEDDINGS, name: 'HERMES_EMBEDDINGS_URL', prompt: 'Address for embeddings',
    description: 'Address of a server for embeddings, e.g. http://localhost:11434/v1, for semantic_search',
  },
  {
    ...OF_EMBEDDINGS, name: 'HERMES_EMBEDDINGS_MODEL', description: 'Model for embeddings there',
    prompt: 'Model for embeddings',
  },
  {
    ...OF_EMBEDDINGS, name: 'HERMES_EMBEDDINGS_KEY', description: 'Key for it, if it wants one',
    prompt: 'Key for embeddings', password: true,
  },
  {
    name: 'HERMES_MCP_TOKEN',
    description: 'Token that clients of hermes mcp --http have to send, in place of one that is made anew',
    prompt: 'Token of the MCP server', tools: ['mcp'], password: true, isOfEnvironment: true,
  },
  {
    name: 'HERMES_HOME', description: 'Directory in place of ~/.hermes', prompt: 'Directory of settings',
    tools: ['all commands'], password: false, isOfEnvironment: true,
  },
  ...ofS3(),
]

/** Whether the value of a variable must not be shown. */
export function isSecretVariable(name: string): boolean {
  return ENV_VARIABLES.find((envVariable) => envVariable.name === name)?.password ?? isSecretName(name)
}

/** Variables for `--store s3://…`, the same as for other programs that use S3. */
function ofS3(): EnvVariable[] {
  const of = (end: string, description: string, password: boolean): EnvVariable => ({
    name: `AWS_${end}`, description: `${description}, for --store s3://…`, prompt: description,
    tools: ['replay', 'batch', 'worker'], password, isOfEnvironment: true,
  })
  return [
    of('ACCESS_KEY_ID', 'Name of the key', false), of('SECRET_ACCESS_KEY', 'The key', true),
    of('SESSION_TOKEN', 'Token of a temporary key', true), of('REGION', 'Region', false),
    of('DEFAULT_REGION', 'Region where AWS_REGION is not set', false),
    of('ENDPOINT_URL', 'Address of the server', false),
    of('ENDPOINT_URL_S3', 'Address of the server, before AWS_ENDPOINT_URL', false),
  ]
}
