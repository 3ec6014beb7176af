/** Tokens with a prefix by which their issuer can be recognised; the group is the prefix. */
const ISSUED: readonly RegExp[] = [
  /\b(gh[pousr]_)[A-Za-z0-9]{30,255}/g,
  /\b(github_pat_)\w{50,255}/g,
  /\b(glpat-|glptt-|gldt-)[\w-]{20,128}/g,
  /\b(sk-ant-|sk-proj-|sk-or-|sk-svcacct-)[\w-]{20,255}/g,
  /\b(sk-)[A-Za-z0-9]{32,128}\b/g,
  /\b(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\b(AIza)[\w-]{35}/g,
  /\b(ya29\.)[\w-]{20,512}/g,
  /\b(xox[abeoprs]-|xapp-)[\w-]{10,255}/g,
  /\b(npm_)[A-Za-z0-9]{36}\b/g,
  /\b(pypi-)[\w-]{50,255}/g,
  /\b(hf_)[A-Za-z0-9]{30,64}\b/g,
  /\b((?:sk|rk|pk)_(?:live|test)_)[A-Za-z0-9]{16,128}/g,
  /\b(SG\.)[\w-]{16,64}\.[\w-]{16,64}/g,
  /\b(dop_v1_|shpat_|shpss_)[a-f0-9]{32,64}\b/g,
  /\b(eyJ)[\w-]{10,4096}\.eyJ[\w-]{5,8192}\.[\w-]{10,2048}/g,
]
const BEARER = /\b(Bearer|Basic|Token) ([\w.~+/-]{16,4096}=*)/g
/** User and password in a URL. */
const ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,128}:)([^\s/@"'<>$*{}]{3,256})(?=@[\w[])/gi
const NAME = '(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key'
  + '|private[_-]?key|credentials?)'
/** `NAME: "value"`, also where the quotes are escaped. */
const QUOTED = new RegExp(
  String.raw`(${NAME}(?:\\{0,3}["'])?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}(["']))([^\s"'\\]{6,4096})(?=\\{0,3}\2)`, 'gi',
)
/** `NAME=value` without quotes: only values with letters and digits, and not followed by what looks like code. */
const BARE = new RegExp(
  String.raw`(${NAME}(?:\\{0,3}["'])?[ \t]{0,8}[:=][ \t]{0,8})(?=([\w+/!@#%^~=-]{8,512}))\2(?![\w+/!@#%^~=(.[{<$*-])`,
  'gi',
)
const PRIVATE_KEY = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^-]{0,65536})/g
/** Most passes over tokens that touch each other: bounds the time, since real text has no long rows of them. */
const MOST_TURNS = 16
/** Values that are no secrets: plain words, numbers, paths, and placeholders. */
const PLAIN = /^(?:[a-z]{1,11}|\d+|(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\).*|[$%<{[].*|true|false|null|none|undefined|enabled|disabled|\*+)$/i

/**
 * Masks what looks like a secret by its form: tokens of common issuers, private keys, bearer tokens, passwords in URLs
 * and behind their name. Each is replaced by as many asterisks as it had characters, so recorded sizes stay true and
 * masking twice changes nothing more.
 */
export function maskTokenShapes(text: string): string {
  if (text.length < 8) return text
  let masked = text
  // Where two tokens touch, the second is only recognised once the first is masked.
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const next = maskedOnce(masked)
    if (next === masked) break
    masked = next
  }
  return masked
}

function maskedOnce(text: string): string {
  let masked = text.replace(PRIVATE_KEY, (_, begin: string, body: string) =>
    begin + body.replace(/(?<!\\)[A-Za-z0-9+/=]/g, '*'))
  for (const pattern of ISSUED) {
    masked = masked.replace(pattern, (match: string, begin: string) => begin + '*'.repeat(match.length - begin.length))
  }
  masked = masked.replace(
    BEARER, (match: string, scheme: string, value: string) => (/\d/.test(value) ? `${scheme} ${stars(value)}` : match),
  )
  masked = masked.replace(ADDRESS, (_, begin: string, password: string) => begin + stars(password))
  masked = masked.replace(
    QUOTED,
    (match: string, begin: string, _quote: string, value: string) => (PLAIN.test(value) ? match : begin + stars(value)),
  )
  return masked.replace(BARE, (match: string, begin: string, value: string) => (
    PLAIN.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value) ? match : begin + stars(value)
  ))
}

function stars(value: string): string {
  return '*'.repeat(value.length)
}
