import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new bearer token: 256 random bits, as text that needs no quoting. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares the `Authorization` header with the token, in a time that tells nothing of it. */
export function hasToken(header: string | undefined, token: string): boolean {
  const [, given] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
