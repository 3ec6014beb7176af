import { createHmac, timingSafeEqual } from 'node:crypto'

/** Largest age of a signed request, which limits replays; the same as Slack's. */
export const SIGNED_FOR_MS = 5 * 60_000

/** `version=hex`: HMAC-SHA256 of `version:seconds:body`, as used by Slack (v0) and the webhook (v1). */
export function signatureOf(version: string, secret: string, seconds: string, body: Buffer | string): string {
  return `${version}=${createHmac('sha256', secret).update(`${version}:${seconds}:`).update(body).digest('hex')}`
}

/**
 * Checks that a request was signed with the secret, recently. Compares in constant time.
 *
 * @returns why not, for the owner's log; the sender only learns that it was refused
 */
export function problemOfSignature(
  { version, secret, seconds, signature, body, nowMs }: {
    version: string
    secret: string
    seconds: string | undefined
    signature: string | undefined
    body: Buffer
    nowMs: number
  },
): string | undefined {
  if (seconds === undefined || signature === undefined) return 'it is not signed'
  if (!/^\d{1,12}$/.test(seconds)) return 'its time is none'
  const expected = Buffer.from(signatureOf(version, secret, seconds, body))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'its signature is wrong'
  return Math.abs(nowMs - Number(seconds) * 1000) > SIGNED_FOR_MS ? 'it is too old, or from the future' : undefined
}

/** The single value of a header. */
export function headerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>, name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
