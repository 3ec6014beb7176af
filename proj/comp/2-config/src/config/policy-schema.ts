import * as v from 'valibot'
import {
  CHECKS, type Limits, MAPPING_NAMES, notArray, problemOfHost, READ_FORMATS, SERVED_LANGUAGES,
} from '../../../0-contracts/src/index.js'
import { LEAST_REPLY_TOKENS } from '../../../1-reports/src/index.js'
import { namesAt as namesIn } from '../yaml/index.js'
import { problemOfGlob } from './glob.js'
import { AGENT_FIELDS, AGENT_LISTS, AGENT_SECTIONS } from './agent/agent-fields.js'
import { count, entry, list, MAPPING, QUOTE_IT, size, text, time } from './field-kinds.js'
import { HOOKS } from './hook-schema.js'

const permission = v.picklist(['on', 'ask', 'off'], 'write on, ask or off')
const globs = list(problemOfGlob)

/** Most hosts in a list, as each connection is compared with all of them. */
const MOST_HOSTS = 256
const hosts = v.pipe(
  v.array(entry(problemOfHost)), v.minLength(1, 'name a host, or write off'),
  v.maxLength(MOST_HOSTS, `at most ${MOST_HOSTS} hosts`),
)
const network = v.union([v.picklist(['on', 'ask', 'off']), hosts], 'write on, ask, off or a list of hosts')

/** Names of environment variables: `name` or `NAME_*`. */
function problemOfVariable(written: string): string | undefined {
  return /^[A-Za-z_*][A-Za-z0-9_*]*$/.test(written) ? undefined
    : 'write the name of a variable, e.g. CI or NPM_CONFIG_*'
}

/** A server's name as used in names of verbs: `mcp.server.tool`. */
const SERVER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,31}$/
const strings = v.optional(notArray(v.record(v.string(), v.string(QUOTE_IT), MAPPING)))

function problemOfUrl(written: string): string | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  const isLocal = url !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url && (url.username !== '' || url.password !== '')) {
    return 'write no user or password into the address: headers take an Authorization'
  }
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return undefined
  return 'write an https:// address, or http:// of this machine'
}

/** Checks a program: in PATH, or a path that does not depend on the working directory. */
function problemOfProgram(written: string): string | undefined {
  const isRelative = /[\\/]/.test(written) && !/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(written)
  return isRelative ? 'write the name of a program in PATH, or a path that starts with / or ~' : undefined
}

/** Checks a module of verbs: a path that does not depend on the working directory, in a format that can be loaded. */
function problemOfModule(written: string): string | undefined {
  if (!/^(?:[\\/]|~[\\/]|[A-Za-z]:[\\/])/.test(written)) return 'write an absolute path, or ~/…'
  return /\.(?:js|mjs|ts|mts)$/.test(written) ? undefined : 'write the path of a .js, .mjs, .ts or .mts file'
}

const words = v.optional(v.pipe(v.array(v.string(QUOTE_IT), 'write a list, e.g. [a, b]')))
const serverName = v.pipe(
  v.string(), v.regex(SERVER_NAME, 'a server is named with letters, digits and -, at most 32'),
)

const SERVER = v.strictObject({
  command: v.optional(entry(problemOfProgram)),
  args: words,
  env: strings,
  cwd: text,
  url: v.optional(entry(problemOfUrl)),
  headers: strings,
  calls: v.optional(permission),
  tools: list(),
  start_time: time,
  call_time: time,
  memory: size,
}, MAPPING)

const SERVERS = notArray(v.record(
  serverName,
  v.pipe(SERVER, v.check(
    ({ command, url }) => (command === undefined) !== (url === undefined), 'write command: or url:, one of them',
  )),
  MAPPING,
))

/** A verb name as in the registry; `mcp.` is reserved for tools of MCP servers. */
const VERB_NAME = /^(?!mcp[._])[A-Za-z][\w.-]{0,63}$/i
const NO_VERB_NAME = 'a verb is named with letters, digits, _, - and dots, at most 64, and not mcp.…'

const EXTENSION = v.strictObject({
  command: v.optional(
    v.pipe(v.string(QUOTE_IT), v.minLength(1, 'the program to start is missing'), entry(() => undefined)), '',
  ),
  args: words,
  env: strings,
  memory: size,
  quiet: time,
  answers: v.optional(v.union(
    [v.boolean(), v.pipe(v.string(), v.minLength(1))], 'write the name of a command, or true where it has one',
  )),
  verbs: v.optional(v.array(v.pipe(v.string(), v.regex(VERB_NAME, NO_VERB_NAME)), 'write a list, e.g. [a, b]')),
}, MAPPING)

const EXTENSIONS = notArray(v.record(
  v.pipe(v.string(), v.regex(SERVER_NAME, 'an extension is named with letters, digits and -, at most 32')), EXTENSION,
  MAPPING,
))

function problemOfLanguage(written: string): string | undefined {
  return Object.hasOwn(SERVED_LANGUAGES, written) ? undefined
    : `write languages of these: ${Object.keys(SERVED_LANGUAGES).join(', ')}`
}

const anything = v.optional(notArray(v.record(v.string(), v.unknown(), MAPPING)))

const LANGUAGE_SERVER = v.strictObject({
  command: entry(problemOfProgram),
  args: words,
  languages: v.pipe(
    v.array(entry(problemOfLanguage), 'write a list, e.g. [python]'), v.minLength(1, 'name at least one language'),
  ),
  env: strings,
  settings: anything,
  initialization: anything,
  start_time: time,
  call_time: time,
  memory: size,
}, MAPPING)

const LANGUAGE_SERVERS = notArray(v.record(serverName, LANGUAGE_SERVER, MAPPING))

const TOKENS_UP = `write a whole number of tokens from ${LEAST_REPLY_TOKENS} up`
const TOKENS = v.optional(v.pipe(
  v.number(TOKENS_UP), v.safeInteger(TOKENS_UP), v.minValue(LEAST_REPLY_TOKENS, TOKENS_UP),
))

const CHOSEN_MAPPINGS = [...MAPPING_NAMES, 'auto', 'none'] as const

const FIELDS = {
  _config_version: count,
  roots: list(),
  allow: globs,
  deny: globs,
  read_only: globs,
  readable: globs,
  verbs: v.optional(notArray(v.strictObject({
    read: v.optional(permission),
    write: v.optional(permission),
    exec: v.optional(permission),
    git: v.optional(permission),
    network: v.optional(network),
    modules: list(problemOfModule),
  }, MAPPING))),
  limits: v.optional(notArray(v.strictObject({
    file_size: size,
    output_size: size,
    command_time: time,
    run_time: time,
    blocks: count,
    written: size,
    processes: count,
    memory: size,
  }, MAPPING))),
  command_allowlist: list(),
  env: list(problemOfVariable),
  dialects: v.optional(v.array(
    v.picklist(READ_FORMATS, `write ${READ_FORMATS.join(', ')}`), 'write a list, e.g. [cline, whole]; [] for none',
  )),
  mapping: v.optional(v.picklist(CHOSEN_MAPPINGS, `write ${CHOSEN_MAPPINGS.join(', ')}`)),
  checks: v.optional(v.picklist(CHECKS, 'write off, syntax or full')),
  reply: v.optional(notArray(v.strictObject({ tokens: TOKENS, call_tokens: TOKENS }, MAPPING))),
  sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'], 'write auto, bwrap, unshare or none')),
  mcp_servers: v.optional(SERVERS),
  language_servers: v.optional(LANGUAGE_SERVERS),
  extensions: v.optional(EXTENSIONS),
  hooks: v.optional(HOOKS),
  trusted_hooks: list(),
  terminal: v.optional(notArray(v.strictObject({
    backend: v.optional(
      v.picklist(
        ['local', 'docker', 'singularity', 'modal', 'ssh'], 'write local, docker, singularity, modal or ssh',
      ),
    ),
    cwd: text,
    docker_image: text,
    singularity_image: text,
    modal_image: text,
  }, MAPPING))),
  ...AGENT_FIELDS,
}

/** Schema of a policy file. */
export const POLICY = notArray(v.strictObject(FIELDS, MAPPING))
export type PolicyValues = v.InferOutput<typeof POLICY>

/** Fields that only loosen, start programs, or decide where keys are sent: not permitted in a project's file. */
export const OF_THE_USER: readonly string[] = [
  'readable', 'terminal', 'mcp_servers', 'language_servers', 'extensions', 'trusted_hooks', 'verbs.modules',
  ...Object.keys(AGENT_FIELDS),
]

/** Fields that contain fields. */
export const SECTIONS: readonly string[] = ['verbs', 'limits', 'reply', 'terminal', ...AGENT_SECTIONS]
/** Fields of the policy that are lists of strings. */
export const POLICY_LISTS: readonly string[] = [
  'roots', 'allow', 'deny', 'read_only', 'readable', 'command_allowlist', 'env', 'trusted_hooks',
  'dialects', 'verbs.modules',
]
export const LISTS: readonly string[] = [...POLICY_LISTS, ...AGENT_LISTS]

/** The valid names in a mapping, for hints. @param path of the mapping; `[]` for the policy itself */
export function namesAt(path: readonly (string | number)[]): string[] {
  return namesIn(POLICY, path)
}

/** The limits of a run that each field of `limits` sets. */
export const LIMIT_OF = {
  file_size: ['maxFileBytes'],
  output_size: ['maxOutputBytes'],
  command_time: ['commandTimeoutMs', 'maxCommandTimeoutMs'],
  run_time: ['runTimeoutMs'],
  blocks: ['maxBlocks'],
  written: ['maxWrittenBytes'],
  processes: ['maxProcesses'],
  memory: ['maxMemoryBytes'],
} as const satisfies Record<string, readonly (keyof Limits)[]>
