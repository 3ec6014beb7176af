import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMasker, maskTokenShapes } from '../../src/secrets/index.js'

const x = (count: number): string => 'aB3dE5gH7j'.repeat(10).slice(0, count)
/** What is shown of each, and how much is masked. */
const SECRETS: readonly (readonly [text: string, masked: string])[] = [
  [`ghp_${x(36)}`, `ghp_${'*'.repeat(36)}`],
  [`github_pat_${x(22)}_${x(59)}`, `github_pat_${'*'.repeat(82)}`],
  [`sk-ant-api03-${x(40)}`, `sk-ant-${'*'.repeat(46)}`],
  [`sk-proj-${x(40)}`, `sk-proj-${'*'.repeat(40)}`],
  [`sk-${x(48)}`, `sk-${'*'.repeat(48)}`],
  ['AKIAIOSFODNN7EXAMPLE', `AKIA${'*'.repeat(16)}`],
  [`AIza${x(35)}`, `AIza${'*'.repeat(35)}`],
  [`xoxb-123456789012-${x(24)}`, `xoxb-${'*'.repeat(37)}`],
  [`glpat-${x(20)}`, `glpat-${'*'.repeat(20)}`],
  [`npm_${x(36)}`, `npm_${'*'.repeat(36)}`],
  [`hf_${x(34)}`, `hf_${'*'.repeat(34)}`],
  [`sk_live_${x(24)}`, `sk_live_${'*'.repeat(24)}`],
  [`eyJ${x(20)}.eyJ${x(30)}.${x(40)}`, `eyJ${'*'.repeat(95)}`],
  [`Authorization: Bearer ${x(30)}`, `Authorization: Bearer ${'*'.repeat(30)}`],
  ['postgres://app:hunter2hunter2@db/app', 'postgres://app:**************@db/app'],
  ['password=hunter2hunter2', 'password=**************'],
  ['DB_PASSWORD: "correct-horse"', 'DB_PASSWORD: "*************"'],
  ['{"api_key": "0123456789abcdef"}', '{"api_key": "****************"}'],
  [String.raw`{\"client_secret\": \"0123456789abcdef\"}`, String.raw`{\"client_secret\": \"****************\"}`],
  ["passwd = 'n0tAw0rd!'", "passwd = '*********'"],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE+w/8=\nabc\n-----END RSA PRIVATE KEY-----', '-----BEGIN RSA PRIVATE KEY-----\n*********\n***\n-----END RSA PRIVATE KEY-----'],
  [String.raw`-----BEGIN PRIVATE KEY-----\nMIIE+w/8=\n-----END PRIVATE KEY-----`, String.raw`-----BEGIN PRIVATE KEY-----\n*********\n-----END PRIVATE KEY-----`],
]

describe('maskTokenShapes', () => {
  it.each(SECRETS)('%s', (text, masked) => {
    expect(maskTokenShapes(text)).toBe(masked)
    expect(maskTokenShapes(`a "${text}" b`)).toBe(`a "${masked}" b`)
    expect(maskTokenShapes(masked)).toBe(masked)
  })

  it.each([
    'def login(user, password=None):', 'password = get_password(user)', 'token = tokenizer.encode(text)', 'const secret = process.env.SECRET_KEY_1',
    '"password": "string"', '"token": "${TOKEN_1}"', 'password: {{ vault_1 }}', 'secret=<your-secret-1>', 'max_tokens=1024000000', 'tokens: 12345678',
    'risk-averse-strategies-of-2024-and-more', 'task-0123456789', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4', 'https://example.com/a:b@c',
    'sk-learn', 'ghp_short', '-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----', 'Bearer of news',
  ])('leaves %s', (text) => expect(maskTokenShapes(text)).toBe(text))

  it('keeps the length, and masking again changes nothing', () => {
    const piece = fc.oneof(fc.constantFrom(...SECRETS.flat()), fc.string({ unit: 'grapheme' }), fc.constantFrom('"', '=', '\\', ' ', '\n'))
    fc.assert(fc.property(fc.array(piece), (pieces) => {
      const once = maskTokenShapes(pieces.join(''))
      expect(once.length).toBe(pieces.join('').length)
      expect(maskTokenShapes(once)).toBe(once)
    }))
  })

  it('takes time in line with the text', () => {
    for (const text of ['password=', '-----BEGIN PRIVATE KEY-----', 'eyJ', 'a://b:', 'sk-', '\\"', 'secret_'].map((one) => one.repeat(100_000))) {
      expect(maskTokenShapes(text)).toHaveLength(text.length)
    }
  })

  it('is done by a masker on demand', () => {
    expect(createMasker({}, { shapes: true }).value({ a: ['password=hunter2hunter2'] })).toEqual({ a: ['password=**************'] })
    expect(createMasker({}).text('password=hunter2hunter2')).toBe('password=hunter2hunter2')
    expect(createMasker({ A_TOKEN: 'abcdefgh1' }, { shapes: true }).text('abcdefgh1 AKIAIOSFODNN7EXAMPLE')).toBe(`[masked A_TOKEN] AKIA${'*'.repeat(16)}`)
  })
})
