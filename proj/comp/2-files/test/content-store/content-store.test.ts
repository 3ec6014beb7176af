import {
  chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync,
  symlinkSync, writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTree, writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import {
  contentAddress, openContentStore, packTree, TreeCache, type ContentStore,
} from '../../src/content-store/index.js'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

describe('a directory as a store', () => {
  it('gives what was put into it, by its hash, and sends nothing twice', async () => {
    const store = await openContentStore(join(tempDir(), 'new', 'store'))
    const address = await store.put(Buffer.from('hello'))
    expect(address).toBe('sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
    expect(String(await store.get(address))).toBe('hello')
    const file = join(store.name, 'sha256', '2c', readdirSync(join(store.name, 'sha256', '2c'))[0] ?? '')
    const { ino } = statSync(file)
    await store.put(Buffer.from('hello'))
    expect(statSync(file).ino).toBe(ino)
  })

  it('gives nothing else than was asked for', async () => {
    const store = await openContentStore(tempDir())
    const address = await store.put(Buffer.from('hello'))
    const hex = address.slice(7)
    const file = join(store.name, 'sha256', hex.slice(0, 2), hex.slice(2))
    writeFileSync(file, 'jello')
    await expect(store.get(address)).rejects.toMatchObject({ code: 'CORRUPT_CONTENT' })
    // Cut off, as a full disk leaves it: written anew.
    writeFileSync(file, 'hel')
    await store.put(Buffer.from('hello'))
    expect(String(await store.get(address))).toBe('hello')
    await expect(store.get(contentAddress(Buffer.from('x')))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(store.get('sha256:../../../etc/passwd')).rejects.toThrow('not a content address')
  })

  it('takes only regular files for content: no link, no pipe, no device', async () => {
    const store = await openContentStore(tempDir())
    const other = join(tempDir(), 'other')
    writeFileSync(other, 'hello')
    for (const place of [(path: string) => symlinkSync(other, path), (path: string) => void execFileSync('mkfifo', [path]), (path: string) => mkdirSync(path)]) {
      const address = await store.put(Buffer.from('hello'))
      const file = join(store.name, 'sha256', address.slice(7, 9), address.slice(9))
      rmSync(file, { recursive: true })
      place(file)
      await expect(store.get(address)).rejects.toMatchObject({ code: 'CORRUPT_CONTENT' })
      rmSync(file, { recursive: true })
    }
    const address = await store.put(Buffer.from('hello'))
    await expect(store.get(address, 4)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
  })

  it.each(['ftp://u:geheim@host/x', 's3://', 's3://UPPER/x', 's3://a b/c'])('is not %s, of which nothing is repeated', async (written) => {
    const failed = openContentStore(written, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' })
    await expect(failed).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(failed).rejects.not.toThrow('geheim')
  })
})

describe('S3', () => {
  let server: Server
  let env: Record<string, string> = {}
  let directory = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-s3-')))
    // s3rver has no types.
    const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => { run(): Promise<{ port: number }>; httpServer: Server }
    const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'bucket' }] })
    const { port } = await s3.run()
    server = s3.httpServer
    env = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(directory, { recursive: true, force: true })
  })

  it('gives what was put into it, below its prefix', async () => {
    const store = await openContentStore('s3://bucket/some/prefix/', env)
    const content = Buffer.from([0, 255, 10, 13, ...Buffer.from('é')])
    const address = await store.put(content)
    expect(await store.put(content)).toBe(address)
    expect(await store.get(address)).toEqual(content)
    const other = await openContentStore('s3://bucket/other', env)
    await expect(other.get(address)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(String(await store.get(await store.put(Buffer.alloc(0))))).toBe('')
  })

  it('carries a tree', async () => {
    const store = await openContentStore('s3://bucket', env)
    const from = tempDir()
    writeTree(from, { 'a': 'A', 'b/c': 'C' })
    const address = await packTree(from, store)
    await new TreeCache(store, tempDir()).using(address, async (tree) => expect(readTree(tree)).toEqual({ 'a': 'A', 'b/c': 'C' }))
  })

  it('says what is wrong, and no secret', async () => {
    const failures: [string, Record<string, string>, string][] = [
      ['s3://nowhere', env, 'NoSuchBucket'],
      // s3rver knows the name of its user, and does not check signatures of version 4.
      ['s3://bucket', { ...env, AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'geheim' }, '403'],
    ]
    for (const [place, own, said] of failures) {
      const failed = (await openContentStore(place, own)).put(Buffer.from(place))
      await expect(failed, place).rejects.toMatchObject({ code: 'UNREACHABLE', message: expect.stringMatching(said) })
      await expect(failed).rejects.not.toThrow('geheim')
    }
    await expect(openContentStore('s3://bucket', {})).rejects.toMatchObject({ code: 'INVALID_OPTION', message: 'There are no credentials for s3://bucket' })
  })

  it('tries again what the server or the network could not do', async () => {
    const seen: string[] = []
    const flaky = createServer((request, response) => {
      seen.push(request.method ?? '')
      if (seen.length === 1) request.socket.destroy()
      else if (seen.length === 2) response.writeHead(503).end()
      else response.writeHead(200, { 'content-length': 5 }).end('hello')
    })
    await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = flaky.address() as { port: number }
      const store = await openContentStore('s3://bucket', { ...env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` })
      expect(String(await store.get(contentAddress(Buffer.from('hello'))))).toBe('hello')
      expect(seen).toEqual(['GET', 'GET', 'GET'])
    } finally {
      flaky.closeAllConnections()
      flaky.close()
    }
  })
})

describe('a tree', () => {
  const stored = async (): Promise<ContentStore> => openContentStore(tempDir())

  it('comes back with its modes, links and empty directories, without what git and hermes keep', async () => {
    const [store, from] = [await stored(), tempDir()]
    writeTree(from, { 'run.sh': '#!/bin/sh\n', 'd/deep/ü.txt': 'x', '.git/config': 'secret', 'd/.GIT/hooks/x': 'x', '.hermes/runs/1': 'x' })
    chmodSync(join(from, 'run.sh'), 0o755)
    chmodSync(join(from, 'd/deep/ü.txt'), 0o440)
    mkdirSync(join(from, 'empty'))
    symlinkSync('../run.sh', join(from, 'd', 'link'))
    symlinkSync('/nowhere', join(from, 'dangling'))
    const address = await packTree(from, store)
    expect(await packTree(from, store)).toBe(address)
    await new TreeCache(store, tempDir()).using(address, async (tree) => {
      expect(readdirSync(tree).sort()).toEqual(['d', 'dangling', 'empty', 'run.sh'])
      expect(lstatSync(join(tree, 'run.sh')).mode & 0o777).toBe(0o755)
      expect(lstatSync(join(tree, 'd/deep/ü.txt')).mode & 0o777).toBe(0o440)
      expect(readlinkSync(join(tree, 'd/link'))).toBe('../run.sh')
      expect(readlinkSync(join(tree, 'dangling'))).toBe('/nowhere')
      expect(readFileSync(join(tree, 'd/deep/ü.txt'), 'utf8')).toBe('x')
      expect(readdirSync(join(tree, 'd')).sort()).toEqual(['deep', 'link'])
    })
  })

  it('of somebody else leads nowhere', async () => {
    const store = await stored()
    const content = await store.put(Buffer.from('evil'))
    const file = (path: string) => ({ kind: 'file', path, mode: 0o644, size: 4, content })
    const link = (path: string, target: string) => ({ kind: 'link', path, target })
    const directory = (path: string) => ({ kind: 'directory', path, mode: 0o755 })
    const outside = tempDir()
    const hostile: object[][] = [
      [file('../x')], [file('/etc/x')], [file('a/../../x')], [file('a\\..\\x')], [file('a\0b')], [file('')], [file('./x')],
      [link('l', outside), file('l/x')], [file('a'), file('a')], [directory('d'), link('d', outside)], [file('no/parent')],
      [file('.git/hooks/post-checkout')], [directory('.GIT')], [directory('d'), directory('d/.hermes')],
      [{ ...file('a'), mode: 0o4755 }], [{ ...file('a'), content: 'sha256:../../x' }],
    ]
    const cached = tempDir()
    const cache = new TreeCache(store, cached)
    for (const entries of hostile) {
      const address = await store.put(json({ version: 1, entries }))
      await expect(cache.using(address, async () => undefined), JSON.stringify(entries)).rejects.toMatchObject({ code: 'CORRUPT_CONTENT' })
    }
    for (const bytes of ['', '[]', '{"version":2,"entries":[]}', '\xff']) {
      await expect(cache.using(await store.put(Buffer.from(bytes)), async () => undefined)).rejects.toMatchObject({ code: 'CORRUPT_CONTENT' })
    }
    expect([readdirSync(outside), readdirSync(cached)]).toEqual([[], []])
  })

  it('whose sizes are not those of its content, or too much together, is refused', async () => {
    const [store, cached] = [await stored(), tempDir()]
    const content = await store.put(Buffer.from('evil'))
    const asked: string[] = []
    const counting: ContentStore = {
      name: 'counting', put: (bytes) => store.put(bytes),
      get: (address, most) => {
        asked.push(address)
        return store.get(address, most)
      },
    }
    const cache = new TreeCache(counting, cached, { bytes: 1000, trees: 9 })
    const manifest = (size: number) => store.put(json({ version: 1, entries: [{ kind: 'file', path: 'a', mode: 0o644, size, content }] }))
    for (const size of [0, 3, 5]) await expect(cache.using(await manifest(size), async () => undefined)).rejects.toMatchObject({ code: 'CORRUPT_CONTENT' })
    asked.length = 0
    await expect(cache.using(await manifest(1001), async () => undefined)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(asked).not.toContain(content)
    expect(readdirSync(cached)).toEqual([])
  })

  it.each<[what: string, name: string]>([
    ['a backslash', 'a\\b.txt'], ['bytes that are no UTF-8', '\udcff.txt'],
  ])('with %s in a name is refused by that name, before anything is sent', async (_, name) => {
    const [store, from] = [await stored(), tempDir()]
    mkdirSync(join(from, 'd'))
    const bytes = name.startsWith('\udcff') ? Buffer.from([0xff, 0x2e]) : Buffer.from(name)
    writeFileSync(Buffer.concat([Buffer.from(`${from}/d/`), bytes]), 'x')
    writeFileSync(join(from, 'a'), 'x')
    await expect(packTree(from, store)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(join(from, 'd/')) })
    expect(existsSync(join(store.name, 'sha256'))).toBe(false)
  })

  it('with more entries than a manifest may have is refused', async () => {
    const from = tempDir()
    writeTree(from, { a: '', b: '', c: '' })
    await expect(packTree(from, await stored(), 2)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('more than 2 ') })
  })

  it('is fetched once, kept while it is used, and makes room for others', async () => {
    const [store, from, cached] = [await stored(), tempDir(), tempDir()]
    const addresses: string[] = []
    for (const name of ['a', 'b', 'c']) {
      writeTree(from, { x: name })
      addresses.push(await packTree(from, store))
    }
    const [a = '', b = '', c = ''] = addresses
    const cache = new TreeCache(store, cached, { bytes: 1024, trees: 1 })
    await cache.using(a, async (first) => {
      await Promise.all([b, c, a].map((each) => cache.using(each, async (tree) => {
        expect(existsSync(join(tree, 'x'))).toBe(true)
        if (each === a) expect(tree).toBe(first)
      })))
      expect(readTree(first)).toEqual({ x: 'a' })
    })
    expect(readdirSync(cached)).toHaveLength(1)
  })

  it('that could not be fetched is tried again, and leaves nothing behind', async () => {
    const [store, from, cached] = [await stored(), tempDir(), tempDir()]
    writeTree(from, { x: 'x', y: 'y' })
    const address = await packTree(from, store)
    let failures = 1
    const failing: ContentStore = {
      name: 'failing', put: (content) => store.put(content),
      get: async (asked) => {
        if (asked !== address && failures-- > 0) throw new Error('lost')
        return store.get(asked)
      },
    }
    const cache = new TreeCache(failing, cached)
    await expect(cache.using(address, async () => undefined)).rejects.toThrow('lost')
    expect(readdirSync(cached)).toEqual([])
    await cache.using(address, async (tree) => expect(readTree(tree)).toEqual({ x: 'x', y: 'y' }))
  })
})
