import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMasker, isSecretName } from '../../src/secrets/index.js'

const TOKEN = 'ghp_1aB2cD3eF4gH5iJ6'

describe('isSecretName', () => {
  it.each([
    'GITHUB_TOKEN', 'OPENROUTER_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'dbPassword', 'db-password', 'PGPASSWORD', 'SECRET',
    'NPM_CONFIG__AUTH', 'npm_config__authToken', 'STRIPE_APIKEY', 'SUDO_PASSWORD', 'MYSQL_PWD', 'CLIENT_SECRET_ID',
    'GITLAB_PAT', 'KEY', 'DJANGO_SECRETS',
  ])('%s', name => expect(isSecretName(name)).toBe(true))

  it.each([
    'PATH', 'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GIT_AUTHOR_NAME', 'KEYBOARD', 'MONKEY', 'TOKEN_FILE', 'AUTHOR', 'COMPASS',
    'TERMINAL_SSH_KEY_PATH', 'PASSAGE', 'TOKENIZERS_PARALLELISM', 'AWS_ACCESS_KEY_ID', 'LESSKEYIN', 'XAUTHORITY', '',
  ])('not %s', name => expect(isSecretName(name)).toBe(false))
})

describe('output whose middle was left out', () => {
  const { text } = createMasker({ GITHUB_TOKEN: TOKEN })

  it.each(Array.from({ length: TOKEN.length - 7 }, (_, at) => at + 4))('shows no part of a secret that was cut behind %i of its characters', (at) => {
    const [head, tail] = [TOKEN.slice(0, at), TOKEN.slice(at)]
    expect(text(`one ${head}\n… 12 bytes omitted …\nlast\n`)).toBe('one [masked GITHUB_TOKEN]\n… 12 bytes omitted …\nlast\n')
    expect(text(`one\n… 12 bytes omitted …\n${tail} last\n`)).toBe('one\n… 12 bytes omitted …\n[masked GITHUB_TOKEN] last\n')
  })

  it('is as it is where no secret was cut', () => {
    const plain = `one ${TOKEN.slice(0, 3)}\n… 12 bytes omitted …\nlast ${TOKEN.slice(0, 9)}\n`
    expect(text(plain)).toBe(plain)
    expect(text(`${TOKEN.slice(0, 9)} bytes omitted …`)).toBe(`${TOKEN.slice(0, 9)} bytes omitted …`)
  })
})

describe('masking', () => {
  it('names the variable', () => {
    const mask = createMasker({ GITHUB_TOKEN: TOKEN, PATH: '/usr/bin' })
    expect(mask.text(`token: ${TOKEN}; again ${TOKEN}`)).toBe('token: [masked GITHUB_TOKEN]; again [masked GITHUB_TOKEN]')
    expect(mask.text('/usr/bin')).toBe('/usr/bin')
  })

  it.each([
    ['JSON', 'a"b\\c-secret', 'a\\"b\\\\c-secret'],
    ['an address', 'p+ss/w?rd', 'p%2Bss%2Fw%3Frd'],
    ['base64', TOKEN, btoa(TOKEN)],
    ['base64 of what is not ASCII', 'pässwörter', Buffer.from('pässwörter').toString('base64')],
    ['a line of several', '-----BEGIN KEY-----\nMIIEowIBAAKCAQEA7\n-----END KEY-----', 'MIIEowIBAAKCAQEA7'],
  ])('finds it as in %s', (_, value, spelling) => {
    expect(createMasker({ A_SECRET: value }).text(`<${spelling}>`)).toBe('<[masked A_SECRET]>')
  })

  it('finds passwords in addresses, and leaves the rest of them', () => {
    const mask = createMasker({ DATABASE_URL: 'postgres://app:hunter2hunter2@db.local:5432/app' })
    expect(mask.text('postgres://app:hunter2hunter2@db.local')).toBe('postgres://app:[masked DATABASE_URL]@db.local')
  })

  it('masks the longer of two that overlap', () => {
    const mask = createMasker({ A_KEY: 'abcd-1234', B_KEY: 'abcd-1234-efgh' })
    expect(mask.text('abcd-1234-efgh abcd-1234')).toBe('[masked B_KEY] [masked A_KEY]')
  })

  it.each([
    ['short values', 'hunter2'], ['words', 'keyring'], ['numbers', '1234567890'], ['paths', '/home/user/.ssh/id_rsa'],
    ['nothing', ''],
  ])('leaves %s alone', (_, value) => {
    expect(createMasker({ MY_KEY: value }).text(`is ${value} here`)).toBe(`is ${value} here`)
  })

  it('takes values as text, never as patterns', () => {
    const mask = createMasker({ A_SECRET: '.*+?^${}()|[]\\/' })
    expect(mask.text('ordinary text')).toBe('ordinary text')
    expect(mask.text('<.*+?^${}()|[]\\/>')).toBe('<[masked A_SECRET]>')
  })

  it('goes through objects and lists, keys too, and leaves other values as they are', () => {
    const mask = createMasker({ A_TOKEN: TOKEN })
    const when = new Date(0)
    expect(mask.value({ stdout: `x${TOKEN}`, list: [1, TOKEN, { [TOKEN]: null }], when })).toEqual({
      stdout: 'x[masked A_TOKEN]', list: [1, '[masked A_TOKEN]', { '[masked A_TOKEN]': null }], when,
    })
    const untouched = { a: [{ b: 'c' }], when }
    expect(mask.value(untouched)).toBe(untouched)
  })
})

it('never lets a secret through, whatever surrounds it', () => {
  const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }).map(text => `${text}#9Z`)
  fc.assert(fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
    // A path is no secret.
    fc.pre(!/^(?:[/.~]|[A-Za-z]:)/.test(value))
    const mask = createMasker({ MY_TOKEN: value })
    expect(mask.text(`${before}${value}${after}`)).toContain('[masked MY_TOKEN]')
    const all = JSON.stringify(mask.value({ a: [`${before}${value}`], b: { c: `${value}${after}` } }))
    expect(all.split('[masked MY_TOKEN]').length).toBeGreaterThanOrEqual(3)
  }))
})
