import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { servePage } from '../../src/host/page-server.js'
import { WindowMessages } from '../../src/kit/window-messages.js'
import { windowTarget } from '../../src/host/window-target.js'

describe('what a window may show', () => {
  it('is the web', () => {
    expect(windowTarget('https://example.org/a?b#c', '/')).toBe('https://example.org/a?b#c')
    expect(windowTarget('http://127.0.0.1:8080', '/')).toBe('http://127.0.0.1:8080/')
  })

  it('is a file of the root that a browser shows, wherever links lead', () => {
    const base = tempDir()
    const root = join(base, 'root')
    mkdirSync(join(root, 'dir.html'), { recursive: true })
    for (const name of ['a b.html', 'run.desktop', 'run.sh', 'page']) writeFileSync(join(root, name), '')
    writeFileSync(join(base, 'out.html'), '')
    symlinkSync('../out.html', join(root, 'leads-out.html'))
    symlinkSync('a b.html', join(root, 'leads-in.html'))
    symlinkSync('run.sh', join(root, 'looks-fine.html'))
    const url = (name: string): string => pathToFileURL(join(root, name)).href
    expect(windowTarget(`${url('a b.html')}#part`, root)).toBe(`${url('a b.html')}#part`)
    expect(windowTarget(url('leads-in.html'), root)).toBe(url('a b.html'))
    for (const name of ['../out.html', 'leads-out.html', 'missing.html']) {
      expect(() => windowTarget(url(name), root)).toThrow('it is no file in the root')
    }
    expect(() => windowTarget(url('dir.html'), root)).toThrow('it is no file')
    for (const name of ['run.desktop', 'run.sh', 'page', 'looks-fine.html']) {
      expect(() => windowTarget(url(name), root)).toThrow('of files only .html')
    }
    expect(() => windowTarget('file://server/share/a.html', root)).toThrow('it is no file in the root')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vscode://x', 'chrome://settings', 'about:blank', '//a.example', ''])('is not %j', url => {
    expect(() => windowTarget(url, '/')).toThrow(expect.objectContaining({ code: -32007 }) as Error)
  })
})

describe('a page of an extension', () => {
  it('is served under its secret name alone, and with an origin of its own, until it is closed', async () => {
    const page = await servePage('<p>hí')
    const shown = await fetched(page.url)
    expect(shown).toMatchObject({ status: 200, body: '<p>hí' })
    expect(shown.headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-same-origin)/)
    expect(await fetched(new URL('/', page.url).href)).toMatchObject({ status: 404, body: '' })
    expect(await fetched(page.url, 'rebound.example')).toMatchObject({ status: 404, body: '' })
    await page.close()
    await expect(fetched(page.url)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('what a page says', () => {
  it('comes back as JSON where it was posted beside the page, and from nowhere else', async () => {
    const said: unknown[] = []
    const page = await servePage('<p>', data => said.push(data))
    const post = async (url: string, body: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(url, { method: 'POST', body, headers: { origin: 'null', ...headers } })).status
    expect(await post(`${page.url}message`, '{"chosen":["é",1]}')).toBe(204)
    expect(await post(`${page.url}message`, 'null')).toBe(204)
    expect(await post(`${page.url}message`, '{"chosen"')).toBe(400)
    expect(await post(`${page.url}message`, JSON.stringify('x'.repeat(2 ** 20)))).toBe(413)
    expect(await post(page.url, '1')).toBe(404)
    expect(await post(new URL('/message', page.url).href, '1')).toBe(404)
    expect(await fetched(`${page.url}message`)).toMatchObject({ status: 404 })
    expect(said).toEqual([{ chosen: ['é', 1] }, null])
    await Promise.all([fetched(page.url), page.close()])
  })

  it('waits in order for who asks, and an end ends the asking', async () => {
    const messages = new WindowMessages()
    const ending = new AbortController()
    for (const data of [1, 2]) messages.add({ windowId: 'w1', data })
    const [first, second, third, other] = ['w1', 'w1', 'w1', 'w2'].map(async id => messages.next(id, ending.signal))
    messages.add({ windowId: 'w1', data: 3 })
    expect(await Promise.all([first, second, third])).toEqual([1, 2, 3])
    ending.abort(new Error('over'))
    await expect(other).rejects.toThrow('over')
    await expect(messages.next('w1', ending.signal)).rejects.toThrow('over')
  })
})

async function fetched(url: string, host?: string) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    request(url, { agent: false, ...(host !== undefined && { headers: { host } }) }, response => {
      text(response).then(body => resolve({ status: response.statusCode, headers: response.headers, body }), reject)
    }).on('error', reject).end()
  })
}
