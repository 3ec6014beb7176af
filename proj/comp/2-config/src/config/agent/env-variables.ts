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

/** All variables that hermes reads. */
export const ENV_VARIABLES: readonly EnvVariable[] = [
  {
    name: 'OPENROUTER_API_KEY', description: 'Key for models of all makers through OpenRouter; '
      + 'sent to openrouter.ai only', prompt: 'OpenRouter API key',
    url: 'https://openrouter.ai/keys', tools: ['chat', 'cron', 'gateway', 'batch'], password: true, isAsked: true,
  },
  {
    name: 'OPENAI_API_KEY', description: 'Key for OpenAI, or for the server that OPENAI_BASE_URL or base_url names',
    prompt: 'API key',
    url: 'https://platform.openai.com/api-keys', tools: ['chat', 'cron', 'gateway', 'batch'], password: true,
    isAsked: true,
  },
  {
    name: 'ANTHROPIC_API_KEY', description: 'Key for models of Anthropic; sent to api.anthropic.com only',
    prompt: 'Anthropic API key',
    url: 'https://console.anthropic.com/settings/keys', tools: ['chat', 'cron', 'gateway', 'batch'], password: true,
    isAsked: true,
  },
  {
    name: 'OPENAI_BASE_URL', description: 'Address of a server that speaks the OpenAI format, '
      + 'in place of base_url of config.yaml', prompt: 'Base URL',
    tools: ['chat', 'cron', 'gateway', 'batch'], password: false,
  },
  {
    name: 'HERMES_MODEL', description: 'Name of the model, in place of model of config.yaml', prompt: 'Model',
    url: 'https://openrouter.ai/models',
    tools: ['chat', 'cron', 'gateway', 'batch'], password: false,
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
    name: 'TERMINAL_SSH_HOST', description: 'Host that commands run on with terminal.backend: ssh', prompt: 'SSH host',
    tools: ['terminal'], password: false,
  },
  { name: 'TERMINAL_SSH_USER', description: 'User there', prompt: 'SSH user', tools: ['terminal'], password: false },
  {
    name: 'TERMINAL_SSH_KEY', description: 'Path of the private key for it', prompt: 'Path of the SSH key',
    tools: ['terminal'], password: false,
  },
  {
    name: 'TERMINAL_SSH_PORT', description: 'Port there, if it is not 22', prompt: 'SSH port', tools: ['terminal'],
    password: false,
  },
  {
    name: 'TERMINAL_SSH_CWD', description: 'Directory there', prompt: 'Directory on the SSH host', tools: ['terminal'],
    password: false,
  },
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
    name: 'HERMES_EMBEDDINGS_URL',
    description: 'Address of a server for embeddings, e.g. http://localhost:11434/v1, for semantic_search',
    prompt: 'Address for embeddings', tools: ['semantic_search'], password: false, isOfEnvironment: true,
  },
  {
    name: 'HERMES_EMBEDDINGS_MODEL', description: 'Model for embeddings there', prompt: 'Model for embeddings',
    tools: ['semantic_search'], password: false, isOfEnvironment: true,
  },
  {
    name: 'HERMES_EMBEDDINGS_KEY', description: 'Key for it, if it wants one', prompt: 'Key for embeddings',
    tools: ['semantic_search'], password: true, isOfEnvironment: true,
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
  const known = ENV_VARIABLES.find((one) => one.name === name)
  return known?.password ?? isSecretName(name)
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
