import type { Scope } from '../shell/scope.js'
import { ANY, changed, CONTENT, DECODED, isKnown, PRINTED, PROCESSES, REMOTE, SECRET } from '../shell/taint.js'
import { each, type Call } from './call.js'
import { readOptions, valueOf } from './read-options.js'
import { isEnvFile, isSecretFile } from './paths.js'
import { programText } from './copies.js'

/** Paths of system programs. */
const PROGRAM_PATH = /^(?:\/usr(?:\/local)?)?\/s?bin\/[\w.-]+$/

type Tool = (call: Call, scope: Scope) => string

const contents: Tool = ({ args, stdin }, { files }) => {
  const { operands } = readOptions(args, ['n', 'c', 'd', 'f', 'k', 't', 'e'])
  const paths = operands.filter((operand) => operand !== '-')
  if (paths.some(isSecretFile) || paths.some(isEnvFile)) return SECRET
  const known = paths.map((path) => files.get(path)).filter((text) => text !== undefined)
  if (known.length > 0) return known.join('')
  const [program = ''] = paths
  if (PROGRAM_PATH.test(program)) return programText(program, () => true) ?? CONTENT
  return stdin === '' ? CONTENT : stdin
}
const decodes: Tool = (call, scope) => (contents(call, scope).includes(REMOTE) ? REMOTE : DECODED)
/** What decodes where an option says so. */
const decodesWith =
  (option: RegExp, others: Tool): Tool =>
  (call, scope) => (call.args.some((arg) => option.test(arg)) ? decodes : others)(call, scope)
const changes: Tool = (call, scope) => changed(contents(call, scope))
const prints: Tool = () => PRINTED
const fetches: Tool = (call, scope) => {
  // Running the file counts as running what comes from the network.
  const target = downloadTarget(call)
  if (target !== undefined) scope.files.set(target, REMOTE)
  return REMOTE
}
const greps: Tool = ({ args, stdin }) => {
  const { operands } = readOptions(args, ['e', 'f', 'A', 'B', 'C', 'm'])
  return operands.slice(1).some(isSecretFile) ? SECRET : stdin === '' ? CONTENT : stdin
}

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
  ...each('cat tac head tail less more nl strings bat sort uniq pv sponge fold', contents),
  tee({ args, stdin }, { files }) {
    for (const path of readOptions(args).operands) files.set(path, stdin)
    return stdin
  },
  ...each('grep egrep rg', greps),
  ...each('sed awk cut jq column wc iconv dos2unix gzip xz bzip2 zstd rot13', changes),
  rev: ({ stdin }) =>
    isKnown(stdin)
      ? `${DECODED}${stdin
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n')}`
      : changed(stdin),
  tr({ args, stdin }) {
    const { operands, short } = readOptions(args)
    const [from = '', to = ''] = operands.map(unescaped)
    // Sets of several characters are for hiding text, or change its case.
    if (!isKnown(stdin) || from.length !== 1) return changed(stdin)
    return `${DECODED}${stdin.replaceAll(from, () => (short.has('d') ? '' : to.slice(0, 1)))}`
  },
  ...each('base64 base32', decodesWith(/^-\w*[dD]|^--d/, changes)),
  xxd: decodesWith(/^-\w*r|^--?rev/, changes),
  gpg: decodesWith(/^-\w*d|^--d/, prints),
  openssl: (call, scope) =>
    (/^(?:enc|base64|smime|rsautl|aes|des|zlib)/.test(call.args[0] ?? '') ? decodesWith(/^-\w*d/, prints) : prints)(
      call,
      scope,
    ),
  ...each('uudecode gunzip zcat xzcat bzcat unxz bunzip2 unzstd', decodes),
  ...each('curl wget fetch http https lynx aria2c nc ncat netcat telnet socat dig nslookup scp ftp', fetches),
  ...each('iwr irm Invoke-WebRequest Invoke-RestMethod', fetches),
  ...each('env printenv set', () => SECRET),
  ...each('export declare', () => ''),
  ...each('command which type', ({ args }) => `${args.filter((arg) => !arg.startsWith('-')).join('\n')}\n`),
  basename: ({ args }) => `${(args[0] ?? ANY).replace(/\/+$/, '').split('/').at(-1) ?? ANY}\n`,
  pwd: () => '.\n',
  ...each('ps pgrep pidof', () => PROCESSES),
  seq: () => ANY,
  ...each('python python3', ({ stdin }) => (stdin.includes(REMOTE) ? REMOTE : PRINTED)),
}

/** Output of a command, as far as known. */
export function printedBy(call: Call, scope: Scope): string {
  const tool = Object.hasOwn(TOOLS, call.name) ? TOOLS[call.name] : undefined
  return tool ? tool(call, scope) : call.stdin.includes(SECRET) ? SECRET : PRINTED
}

/** The file to which a download is written; `undefined` where it is printed. */
export function downloadTarget({ name, args }: Call): string | undefined {
  const isCurl = name === 'curl'
  const [letter, long] = isCurl ? ['o', 'output'] : ['O', 'output-document']
  const { operands, short } = readOptions(
    args,
    isCurl ? [...'oHXdAeFuxTm', long, 'header', 'request', 'data'] : [...'OPoU', long],
  )
  // Also as in `-sSLo path`.
  const inCluster = args.findIndex((arg) => new RegExp(`^-\\w+${letter}$`).test(arg))
  const own = valueOf(args, `-${letter}`, `--${long}`) ?? (inCluster < 0 ? undefined : args[inCluster + 1])
  if (own !== undefined) return own === '-' ? undefined : own
  const base = operands.find((operand) => operand.includes('/'))
    ?.replace(/[?#].*/s, '')
    .split('/')
    .at(-1)
  if (!base || (name !== 'wget' && !short.has('O') && !args.includes('--remote-name'))) return undefined
  const directory = name === 'wget' ? valueOf(args, '-P', '--directory-prefix') : valueOf(args, '--output-dir')
  return directory === undefined ? base : `${directory}/${base}`
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
  n: '\n', t: '\t', r: '\r', e: '\u001b', '\\': '\\', '"': '"', "'": "'", ...each('a b f v', ''),
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
