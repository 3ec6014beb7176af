/** What commands can reach: nothing, the machine's network, or only named hosts (`api.example.org`, `*.x.org:8443`). */
export type NetworkReach = boolean | readonly string[]

/** A parsed entry of a host list. */
interface HostRule {
  /** Normalized by `asciiHost`. */
  host: string
  /** `*.host`: matches subdomains, but not the host itself. */
  isBelow: boolean
  /** Default: the ports of HTTP and HTTPS (80, 443). */
  port: number | undefined
}

const USUAL_PORTS: readonly number[] = [80, 443]
/** In UTF-16 units: of a normalized host name, and of the same as written. */
const LONGEST_NAME = 253
const LONGEST_WRITTEN = 1000
const EXAMPLE = 'write a host such as packages.example.com, *.example.org or db.example.org:5432'

/**
 * Normalizes a host: a name in lower case and Punycode (UTS #46) without a final dot; an address as WHATWG URLs write
 * it (`0x7f.1` becomes `127.0.0.1`), IPv6 without brackets.
 *
 * @returns `undefined` for what is no host
 */
export function asciiHost(text: string): string | undefined {
  const isSix = text.includes(':')
  // Refuse characters that end the host of a URL, or that URL parsing silently drops.
  const form = isSix ? /^[\da-f:.]+$/i : /^[^\s\p{C}/@:?#\\%[\]<>^|`{}"']+$/u
  if (text.length > LONGEST_WRITTEN || !form.test(text)) return undefined
  const address = `http://${isSix ? `[${text}]` : text}/`
  if (!URL.canParse(address)) return undefined
  const host = new URL(address).hostname.replace(/^\[|\]$|\.$/g, '')
  const isName = host !== '' && host.length <= LONGEST_NAME && !host.split('.').includes('')
  return isSix || isName ? host : undefined
}

/** Whether a normalized host (`asciiHost`) is an IP address. */
export function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

/** Splits `host`, `host:port` or `[::1]:port`; a bare IPv6 address has no port. `undefined` where it is invalid. */
export function splitHost(text: string): { host: string; port: number | undefined } | undefined {
  const [, six, name, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const bare = text.split(':').length > 2 && !text.includes('[') ? text : undefined
  const host = asciiHost(bare ?? six ?? name ?? '')
  const port = bare !== undefined || digits === undefined ? undefined : Number(digits)
  const isWrong = host === undefined || (six !== undefined && !host.includes(':'))
    || (port !== undefined && (port < 1 || port > 65_535))
  return isWrong ? undefined : { host, port }
}

/** What is wrong with an entry of a host list, as the end of a sentence; `undefined` for a valid one. */
export function problemOfHost(text: string): string | undefined {
  if (text === '*') return 'a list names hosts; for all of them there is on'
  return ruleOf(text) === undefined ? EXAMPLE : undefined
}

/** Normalized entries of a host list, without duplicates. Invalid ones (`problemOfHost`) are left out. */
export function readHosts(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => {
    const rule = ruleOf(text.trim())
    return rule === undefined ? [] : [written(rule)]
  }))]
}

/** Whether a list names a host (normalized by `asciiHost`) with this port. */
export function namesHost(hosts: readonly string[], host: string, port: number): boolean {
  return hosts.some((text) => {
    const rule = ruleOf(text)
    return rule !== undefined && isOfRule(rule, host)
      && (rule.port === undefined ? USUAL_PORTS.includes(port) : rule.port === port)
  })
}

/** The intersection of two host lists. */
export function commonHosts(first: readonly string[], second: readonly string[]): string[] {
  const rules = (texts: readonly string[]) => texts.flatMap((text) => ruleOf(text) ?? [])
  const both = rules(first).flatMap((a) => rules(second).flatMap((b) => common(a, b) ?? []))
  return [...new Set(both.map(written))]
}

/** The entries of `asked` that `allowed` does not cover completely. */
export function hostsBeyond(asked: readonly string[], allowed: readonly string[]): string[] {
  return readHosts(asked).filter((text) => commonHosts([text], allowed).every((both) => both !== text))
}

/** The intersection of two reaches; `false` where it is empty. */
export function commonReach(first: NetworkReach, second: NetworkReach): NetworkReach {
  if (typeof first === 'boolean') return first && second
  if (typeof second === 'boolean') return second && first
  const both = commonHosts(first, second)
  return both.length > 0 && both
}

function ruleOf(text: string): HostRule | undefined {
  const isBelow = text.startsWith('*.')
  const parsed = splitHost(isBelow ? text.slice(2) : text)
  if (parsed === undefined || (isBelow && isAddress(parsed.host)) || parsed.host.includes('*')) return undefined
  return { ...parsed, isBelow }
}

function written({ host, isBelow, port }: HostRule): string {
  const name = host.includes(':') && port !== undefined ? `[${host}]` : host
  return `${isBelow ? '*.' : ''}${name}${port === undefined ? '' : `:${port}`}`
}

function isOfRule({ host, isBelow }: HostRule, name: string): boolean {
  return isBelow ? !isAddress(name) && name.endsWith(`.${host}`) : name === host
}

function common(a: HostRule, b: HostRule): HostRule | undefined {
  const port = a.port ?? b.port
  const hasPort = ({ port: own }: HostRule) => (
    own === port || (own === undefined && port !== undefined && USUAL_PORTS.includes(port))
  )
  if (!hasPort(a) || !hasPort(b)) return undefined
  const inner = [a, b].find((rule) => {
    const around = rule === a ? b : a
    return isOfRule(around, rule.host) || (rule.isBelow && around.isBelow && rule.host === around.host)
  })
  // `*.x.org` does not include `x.org`, and `x.org` includes no subdomain.
  const outer = inner === a ? b : a
  if (inner === undefined || (inner.isBelow && !outer.isBelow)) return undefined
  return { ...inner, port }
}
