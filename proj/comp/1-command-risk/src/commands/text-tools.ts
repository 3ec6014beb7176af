import type { Scope } from '../shell/scope.js'
import { ANY, changed, CONTENT, DECODED, isKnown, PRINTED, PROCESSES, REMOTE, SECRET } from '../shell/taint.js'
import type { Call } from './call.js'
import { readOptions, valueOf } from './read-options.js'
import { isEnvFile, isSecretFile } from './paths.js'
import { programText } from './copies.js'
import { decodeBase64, decodeHex, rot, translate } from './decoders.js'

/** Paths of system programs. */
const PROGRAM_PATH = /^(?:\/usr(?:\/local)?)?\/s?bin\/[\w.-]+$/

type Tool = (call: Call, scope: Scope) => string

const DECODES: Tool = ({ stdin }) => (stdin.includes(REMOTE) ? REMOTE : DECODED)
const FETCHES: Tool = (call, scope) => {
  keepDownload(call, scope)
  return REMOTE
}
const PASSES: Tool = (call, scope) => contents(call, scope)
const CHANGES: Tool = (call, scope) => changed(contents(call, scope))

/** Output of commands that create or transform text. */
const TOOLS: Readonly<Record<string, Tool>> = {
  echo({ args }) {
    const at = args.findIndex((arg) => !/^-[neE]+$/.test(arg))
    const options = at < 0 ? args : args.slice(0, at)
    const text = at < 0 ? '' : args.slice(at).join(' ')
    const interpreted = options.some((option) => /^-\w*e/.test(option)) ? unescaped(text) : text
    return options.some((option) => /^-\w*n/.test(option)) ? interpreted : `${interpreted}\n`
  },
  printf: ({ args }) => format(args),
  cat: PASSES,
  tac: PASSES,
  head: PASSES,
  tail: PASSES,
  less: PASSES,
  more: PASSES,
  nl: PASSES,
  strings: PASSES,
  bat: PASSES,
  tee: teeOutput,
  sort: PASSES,
  uniq: PASSES,
  pv: PASSES,
  sponge: PASSES,
  fold: PASSES,
  grep: grepOutput,
  egrep: grepOutput,
  rg: grepOutput,
  sed: CHANGES,
  awk: CHANGES,
  cut: CHANGES,
  jq: CHANGES,
  column: CHANGES,
  wc: CHANGES,
  iconv: CHANGES,
  dos2unix: CHANGES,
  gzip: CHANGES,
  xz: CHANGES,
  bzip2: CHANGES,
  zstd: CHANGES,
  rev: ({ stdin }) =>
    isKnown(stdin)
      ? `${DECODED}${stdin
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n')}`
      : changed(stdin),
  tr({ args, stdin }) {
    const {
      operands: [from = '', to = ''],
      short,
    } = readOptions(args)
    return isKnown(stdin) ? `${DECODED}${translate(stdin, from, to, short.has('d'))}` : changed(stdin)
  },
  rot13: ({ stdin }) => (isKnown(stdin) ? `${DECODED}${rot(stdin)}` : changed(stdin)),
  base64: (call, scope) =>
    isDecoding(call, 'dD') ? decoded(contents(call, scope), decodeBase64) : changed(contents(call, scope)),
  base32: (call, scope) => (isDecoding(call, 'dD') ? DECODES(call, scope) : changed(contents(call, scope))),
  xxd: (call, scope) =>
    isDecoding(call, 'r') ? decoded(contents(call, scope), decodeHex) : changed(contents(call, scope)),
  openssl: (call, scope) =>
    /^(?:enc|base64|smime|rsautl|aes|des|zlib)/.test(call.args[0] ?? '') && isDecoding(call, 'd')
      ? DECODES(call, scope)
      : PRINTED,
  uudecode: DECODES,
  gunzip: DECODES,
  zcat: DECODES,
  xzcat: DECODES,
  bzcat: DECODES,
  unxz: DECODES,
  bunzip2: DECODES,
  unzstd: DECODES,
  gpg: (call, scope) => (isDecoding(call, 'd') ? DECODES(call, scope) : PRINTED),
  curl: FETCHES,
  wget: FETCHES,
  fetch: FETCHES,
  http: FETCHES,
  https: FETCHES,
  lynx: FETCHES,
  aria2c: FETCHES,
  httpie: FETCHES,
  nc: FETCHES,
  ncat: FETCHES,
  netcat: FETCHES,
  telnet: FETCHES,
  socat: FETCHES,
  iwr: FETCHES,
  irm: FETCHES,
  'Invoke-WebRequest': FETCHES,
  'Invoke-RestMethod': FETCHES,
  dig: FETCHES,
  nslookup: FETCHES,
  scp: FETCHES,
  ftp: FETCHES,
  env: () => SECRET,
  printenv: () => SECRET,
  export: () => '',
  declare: () => '',
  set: () => SECRET,
  command: ({ args }) => `${args.filter((arg) => !arg.startsWith('-')).join('\n')}\n`,
  which: ({ args }) => `${args.filter((arg) => !arg.startsWith('-')).join('\n')}\n`,
  type: ({ args }) => `${args.filter((arg) => !arg.startsWith('-')).join('\n')}\n`,
  basename: ({ args }) => `${(args[0] ?? ANY).replace(/\/+$/, '').split('/').at(-1) ?? ANY}\n`,
  pwd: () => '.\n',
  ps: () => PROCESSES,
  pgrep: () => PROCESSES,
  pidof: () => PROCESSES,
  seq: () => ANY,
}

/** Output of a command, as far as known. */
export function printedBy(call: Call, scope: Scope): string {
  if (Object.hasOwn(TOOLS, call.name)) return TOOLS[call.name]?.(call, scope) ?? PRINTED
  if (call.name === 'command' || call.name === 'python3' || call.name === 'python')
    return call.stdin.includes(REMOTE) ? REMOTE : PRINTED
  return call.stdin.includes(SECRET) ? SECRET : PRINTED
}

function isDecoding({ args }: Call, letters: string): boolean {
  return args.some((arg) => new RegExp(`^-\\w*[${letters}]`).test(arg) || /^--(?:d|rev)/.test(arg))
}

function decoded(text: string, decode: (text: string) => string | undefined): string {
  if (!isKnown(text)) return text.includes(REMOTE) ? REMOTE : DECODED
  return `${DECODED}${decode(text) ?? ''}`
}

/** Content of the named files, else the input. */
function contents({ args, stdin }: Call, { files }: Scope): string {
  const { operands } = readOptions(args, ['n', 'c', 'd', 'f', 'k', 't', 'e'])
  const paths = operands.filter((operand) => operand !== '-')
  if (paths.some(isSecretFile) || paths.some(isEnvFile)) return SECRET
  const known = paths.map((path) => files.get(path)).filter((text) => text !== undefined)
  if (known.length > 0) return known.join('')
  const [program = ''] = paths
  if (PROGRAM_PATH.test(program)) return programText(program, () => true) ?? CONTENT
  return stdin === '' ? CONTENT : stdin
}

function grepOutput({ args, stdin }: Call): string {
  const { operands } = readOptions(args, ['e', 'f', 'A', 'B', 'C', 'm'])
  return operands.slice(1).some(isSecretFile) ? SECRET : stdin === '' ? CONTENT : stdin
}

function teeOutput({ args, stdin }: Call, { files }: Scope): string {
  for (const path of readOptions(args).operands) files.set(path, stdin)
  return stdin
}

/** Records downloaded files, so that running them counts as running code from the network. */
function keepDownload(call: Call, { files }: Scope): void {
  const target = downloadTarget(call)
  if (target !== undefined) files.set(target, REMOTE)
}

/** The file to which a download is written; `undefined` where it is printed. */
export function downloadTarget({ name, args }: Call): string | undefined {
  const { operands, short } = readOptions(
    args,
    name === 'curl' ? [...'oHXdAeFuxTm', 'output', 'header', 'request', 'data'] : [...'OPoU', 'output-document'],
  )
  const own =
    name === 'curl'
      ? (valueOf(args, '-o', '--output') ?? outputInCluster(args, 'o'))
      : (valueOf(args, '-O', '--output-document') ?? outputInCluster(args, 'O'))
  const url = operands.find((operand) => operand.includes('/'))
  const base = url
    ?.replace(/[?#].*/s, '')
    .split('/')
    .at(-1)
  if (own !== undefined) return own === '-' ? undefined : own
  if (!base || (name !== 'wget' && !short.has('O') && !args.includes('--remote-name'))) return undefined
  const directory = name === 'wget' ? valueOf(args, '-P', '--directory-prefix') : valueOf(args, '--output-dir')
  return directory === undefined ? base : `${directory}/${base}`
}

/** The value in `-sSLo path`. */
function outputInCluster(args: readonly string[], letter: string): string | undefined {
  const at = args.findIndex((arg) => new RegExp(`^-\\w+${letter}$`).test(arg))
  return at < 0 ? undefined : args[at + 1]
}

/** `printf`: conversions consume arguments in turn; the format is repeated while any are left. */
export function format(args: readonly string[]): string {
  const [pattern = '', ...values] = args[0] === '--' ? args.slice(1) : args
  let out = ''
  let used = 0
  do {
    const before = used
    out += unescaped(pattern).replace(
      /%(%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g,
      (_, all: string, kind: string | undefined) => {
        if (all === '%') return '%'
        const value = values[used++] ?? ''
        if (kind === 'b') return unescaped(value)
        return kind === 'c' ? value.slice(0, 1) : /[sdiq]/.test(kind ?? '') ? value : ANY
      },
    )
    if (used === before) break
  } while (used < values.length && out.length < 65_536)
  return out
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  e: '\u001b',
  f: '',
  v: '',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** Decodes the escapes of `printf` and `echo -e`. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,6})|0?([0-7]{1,3})|(.))/gs,
    (whole, ...groups: (string | undefined)[]) => {
      const [x, u, wide, octal, plain] = groups
      const code = x ?? u ?? wide
      if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10_ff_ff))
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff)
      return plain === undefined ? whole : (ESCAPES[plain] ?? whole)
    },
  )
}
