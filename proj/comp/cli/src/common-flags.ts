import type { Flag } from './arguments.js'

export const HELP_FLAG: Flag = { name: 'help', short: 'h', help: 'Show this help' }
export const JSON_FLAG: Flag = { name: 'json', help: 'Print one JSON document and nothing else' }
export const NO_GIT_FLAG: Flag = { name: 'no-git', help: 'Make no commit' }
export const WAIT_FLAG: Flag = {
  name: 'wait', value: 'SECONDS', help: 'How long to wait while another run works in the root (default: 0)',
}
export const DURABLE_FLAG: Flag = {
  name: 'durable', help: 'Survive a loss of power: flush the journal before each change, files at the end; slower',
}
/** What `--trajectory-as` and `--export-as` take. */
export const TRAINING_FORMATS: readonly string[] = ['sharegpt', 'openai', 'responses', 'anthropic', 'vercel']
