/** What a request fails with that reaches no server, and what to look at. The codes are Node's. */
const HINTS: readonly (readonly [says: RegExp, hint: string])[] = [
  [/\bECONNREFUSED\b/, 'Nothing listens at that host and port: start the server, or check the base URL.'],
  [/\b(?:ENOTFOUND|EAI_AGAIN)\b/, 'The name of the host is not found: check the base URL, and the network.'],
  [
    /\b(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\b/,
    'The host cannot be reached: check the base URL, and the network.',
  ],
  [
    /wrong version number|packet length too long/i,
    'The server speaks no TLS there: check http or https in the base URL.',
  ],
  [
    /CERT|certificate|ERR_TLS/i,
    'Its certificate is not trusted: check the host in the base URL; NODE_EXTRA_CA_CERTS names a file with your own.',
  ],
  [/^bad port$/, 'No request is sent to that port: check the base URL.'],
]

/** @param said why the connection failed, with the code of its cause */
export function unreachedHint(said: string): string | undefined {
  return HINTS.find(([says]) => says.test(said))?.[1]
}

const PAGE = /^\s*(?:<!doctype html|<html|<head|<body)/i
const TITLE = /<title[^>]*>([^<]*)<\/title>|<h1[^>]*>([^<]*)<\/h1>/i

/** Of a page of HTML, which proxies and other servers answer with, its title; other texts as they are. */
export function withoutPage(text: string): string {
  if (!PAGE.test(text)) return text
  const [, title, heading] = TITLE.exec(text) ?? []
  const named = (title ?? heading ?? '').trim()
  return `a page of HTML${named === '' ? '' : `: ${named}`}`
}
