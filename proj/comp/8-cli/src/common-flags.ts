import { CHECKS, EDIT_FORMATS, READ_FORMATS, MAPPING_NAMES } from '../../0-contracts/src/index.js'
import type { Flag } from './arguments.js'

export const HELP_FLAG: Flag = { name: 'help', short: 'h', help: 'Show this help' }
export const JSON_FLAG: Flag = { name: 'json', help: 'Print one JSON document and nothing else' }
export const ATOMIC_FLAG: Flag = {
  name: 'atomic', inlineValues: ['files'], help: 'All blocks or none; commands are refused (=files: they run, '
    + 'but only files are put back)',
}
export const NO_GIT_FLAG: Flag = { name: 'no-git', help: 'Make no commit' }
export const WAIT_FLAG: Flag = {
  name: 'wait', value: 'SECONDS', help: 'How long to wait while another run works in the root (default: 0)',
}
export const DURABLE_FLAG: Flag = {
  name: 'durable', help: 'Survive a loss of power: flush the journal before each change, files at the end; slower',
}
/** Formats of `--trajectory-as` and `--export-as`. */
export const TRAINING_FORMATS: readonly string[] = ['sharegpt', 'openai', 'responses', 'anthropic', 'vercel']

export const FILE_ABOUT = 'FILE is a text that holds blocks; without it, or as -, standard input is read.'
/** A copy of the registry's toolsets, which `--help` does not load; a test compares them. */
const TOOLSETS = [
  'clada', 'hermes', 'core', 'read-only', 'edit', 'execute', 'git', 'terminal', 'skills', 'cron', 'delegate',
  'context', 'mcp', 'own', 'edit-formats',
]
export const TOOLSET_FLAG: Flag = {
  name: 'toolset', value: 'NAME', repeatable: true, choices: TOOLSETS, help: `By toolset: ${TOOLSETS.join(', ')}`,
}
export const ROOT_FLAG: Flag = {
  name: 'root', value: 'DIR', help: 'Directory to work in (default: the working directory)',
}
export const PLACE_FLAGS: readonly Flag[] = [
  ROOT_FLAG,
  {
    name: 'allow', value: 'DIR', repeatable: true,
    help: 'Another directory that may be read and written; repeatable',
  },
  {
    name: 'root-alias', value: 'DIR', repeatable: true,
    help: 'Absolute path that stands for the root in the text, e.g. /workspace; repeatable',
  },
]
/** Formats to read besides hermes' own blocks; both flags take all of them. The help page lists the names. */
export const FORMAT_FLAGS: readonly Flag[] = [
  {
    name: 'dialect', value: 'LIST', repeatable: true, choices: READ_FORMATS,
    help: 'Also read these dialects (cline, gptme, …: hermes help formats; auto: all that names a path and runs no '
      + 'command); with commas, or repeated',
  },
  {
    name: 'edit-format', value: 'LIST', repeatable: true, choices: READ_FORMATS,
    help: `Also read these edit formats: ${EDIT_FORMATS.join(', ')}; with commas, or repeated`,
  },
]
/** `hermes help mappings` lists the names. */
export const MAPPING_FLAG: Flag = {
  name: 'mapping', value: 'NAME', choices: [...MAPPING_NAMES, 'auto'],
  help: 'Run calls of tools of another harness (claude-code, codex, cline, …; auto: of any)',
}
export const TIMEOUT_FLAG: Flag = {
  name: 'timeout', value: 'SECONDS', help: 'Time limit of each command, decimals allowed (default: 120)',
}
export const MATCH_FLAG: Flag = {
  name: 'match', value: 'exact|tolerant',
  help: 'How edits find their place (default: tolerant; exact for file_replace_text)',
}
export const CHECKS_FLAG: Flag = {
  name: 'checks', value: 'LEVEL', choices: CHECKS,
  help: 'Look for what edits broke: off, syntax (default), or full (TypeScript\'s errors too)',
}
export const THINK_FLAG: Flag = {
  name: 'starts-in-think', help: 'The text begins inside a think section whose opening tag is not part of it',
}
export const SANDBOX_FLAGS: readonly Flag[] = [
  {
    name: 'sandbox', value: 'MODE', choices: ['auto', 'bwrap', 'unshare', 'none'],
    help: 'What holds commands: auto (default), bwrap, unshare, or none',
  },
  {
    name: 'network', inlineValue: 'HOST,…',
    help: 'Let commands reach the network; =HOST,…: these hosts only (HOST, *.DOMAIN, HOST:PORT)',
  },
]
/** Flags of servers that listen for HTTP. */
export const HTTP_FLAGS: readonly Flag[] = [
  {
    name: 'http', value: 'ADDRESS',
    help: 'Listen for HTTP of this machine, e.g. 127.0.0.1:8765 (port 0: any free one)',
  },
  {
    name: 'token-file', value: 'FILE',
    help: 'Write the token of --http to FILE, which only you can read, and do not print it',
  },
]
export const NO_HOOKS_FLAG: Flag = {
  name: 'no-hooks', help: 'Run none of the commands that hooks: of the policy files names',
}
export const RELATIVE_FLAG: Flag = {
  name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root',
}
export const YES_FLAG: Flag = {
  name: 'yes', help: 'Approve what asks for it, and confirm what can be taken back, without asking',
}
/** Flags of commands that stay open and run one answer after another. */
export const SITTING_FLAGS: readonly Flag[] = [
  ...PLACE_FLAGS, RELATIVE_FLAG, TOOLSET_FLAG, ...FORMAT_FLAGS, MAPPING_FLAG, MATCH_FLAG, CHECKS_FLAG, ...SANDBOX_FLAGS,
  TIMEOUT_FLAG,
]
export const ANSWERS_FLAG: Flag = {
  name: 'answers', value: 'FILE', help: 'JSON that answers the dialogues of extensions; see hermes help extensions',
}
/** Flags for extensions that change an answer before it is read. */
export const EXTENSION_FLAGS: readonly Flag[] = [
  {
    name: 'extension', value: 'NAME', repeatable: true,
    help: 'Let an extension of your config (NAME:COMMAND) rewrite each answer first; repeatable',
  },
  { name: 'ext-timeout', value: 'SECONDS', help: 'Time for each, without that of its dialogues (default: none)' },
  {
    name: 'ext-quiet', value: 'SECONDS',
    help: 'Silence that ends one which tells no end (default: quiet of your config, else 5)',
  },
  ANSWERS_FLAG,
]
/** Flags for the agent, besides those of a run; `hermes batch` has them too. */
export const MODEL_FLAGS: readonly Flag[] = [
  { name: 'model', value: 'NAME', help: 'The model, as the server calls it (default: model of your config, '
    + 'HERMES_MODEL)' },
  { name: 'base-url', value: 'URL', help: 'Where it is asked (default: base_url of your config)' },
  {
    name: 'api', value: 'chat|responses|anthropic', choices: ['chat', 'responses', 'anthropic'],
    help: 'What the server speaks (default: api of your config; else anthropic for api.anthropic.com, chat elsewhere)',
  },
  { name: 'reasoning-effort', value: 'LEVEL', help: 'How much the model thinks, in its server’s words: low, medium, '
    + 'high, … (default: reasoning_effort of your config)' },
  { name: 'temperature', value: 'N', help: 'How freely it answers (default: temperature of your config)' },
  { name: 'max-tokens', value: 'N', help: 'Longest answer, in tokens (default: max_tokens of your config)' },
  { name: 'style', value: 'native|blocks', choices: ['native', 'blocks'], help: 'Function calling, or blocks in the '
    + 'text, run while it streams' },
  { name: 'max-turns', value: 'N', help: 'Answers of the model for one message, at most (default: 20)' },
  { name: 'personality', value: 'NAME', help: 'How it answers: concise, teacher, careful, or one of your config' },
  { name: 'disable-toolset', value: 'NAME', repeatable: true, help: 'Not the verbs of this toolset; repeatable' },
]
