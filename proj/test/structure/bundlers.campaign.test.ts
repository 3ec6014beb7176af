import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { rollup } from 'rollup'
import { build as vite } from 'vite'
import webpack from 'webpack'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { describeWithChromium } from '../support/chromium.js'
import { useInstalled } from '../support/packed.js'

/** All of the core together, with the forms of forty dialects and what it takes of valibot. */
const MOST_BYTES = 102_000
const ANSWER = '```yaml hermes\nverb: fs.readFile\narguments:\n  path: a\n```\n'
const APP = `import * as core from 'hermes/core'
globalThis.hermesCore = core
globalThis.outcome = JSON.stringify(core.parse(${JSON.stringify(ANSWER)}))
`

/** Each writes `out/bundle.js` below the project, of `app.js`, and returns its warnings. */
const BUNDLERS: Readonly<Record<string, (project: string, out: string) => Promise<readonly string[]>>> = {
  async esbuild(project, out) {
    const { warnings } = await esbuild({
      absWorkingDir: project, entryPoints: ['app.js'], bundle: true, minify: true, platform: 'browser', format: 'iife',
      outfile: join(out, 'bundle.js'), logLevel: 'silent',
    })
    return warnings.map(({ text }) => text)
  },
  async rollup(project, out) {
    const warnings: string[] = []
    const { nodeResolve } = await import('@rollup/plugin-node-resolve')
    const bundle = await rollup({
      input: join(project, 'app.js'), plugins: [nodeResolve({ browser: true })], onwarn: ({ message }) => warnings.push(message),
    })
    await bundle.write({ file: join(out, 'whole.js'), format: 'iife' })
    await bundle.close()
    // It does not minify by itself.
    await minified(join(out, 'whole.js'), join(out, 'bundle.js'))
    return warnings
  },
  async vite(project, out) {
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    await vite({
      root: project, configFile: false, logLevel: 'warn',
      customLogger: {
        info: () => undefined, warn, warnOnce: warn, error: warn, clearScreen: () => undefined,
        hasErrorLogged: () => false, hasWarned: false,
      },
      build: { outDir: out, lib: { entry: 'app.js', formats: ['iife'], name: 'app', fileName: () => 'bundle.js' }, minify: true },
    })
    return warnings
  },
  webpack: (project, out) => new Promise((resolve, reject) => {
    const options = {
      mode: 'production', target: 'web', context: project, entry: './app.js', performance: false as const,
      output: { path: out, filename: 'bundle.js' },
    } as const
    webpack(options, (failure, stats) => {
      if (failure) reject(failure)
      else resolve([...stats?.toJson().warnings ?? [], ...stats?.toJson().errors ?? []].map(({ message }) => message))
    })
  }),
}

async function minified(from: string, to: string): Promise<void> {
  const bundle = await rolldown({ input: from, platform: 'browser', logLevel: 'silent' })
  await bundle.write({ file: to, format: 'iife', minify: true })
  await bundle.close()
}

describeWithChromium('hermes/core of the packed package', (chromium) => {
  const installed = useInstalled('--omit=optional')

  it.each(Object.entries(BUNDLERS))('is bundled by %s for a browser, without a warning, small, and runs there', async (name, bundle) => {
    const { project } = installed
    const out = join(project, `out-${name}`)
    mkdirSync(out)
    writeFileSync(join(project, 'app.js'), APP)
    expect(await bundle(project, out)).toEqual([])
    const code = readFileSync(join(out, 'bundle.js'))
    expect(code.toString('utf8')).not.toMatch(/["'`]node:|\brequire\(["'`]/)
    expect(gzipSync(code).length).toBeLessThanOrEqual(MOST_BYTES)

    const page = await chromium.page()
    await page.addScriptTag({ content: code.toString('utf8') })
    const outcome = JSON.parse(await page.evaluate('outcome')) as unknown
    expect(outcome).toMatchObject({ blocks: [{ id: 'b1', action: 'fs.readFile', params: { path: 'a' } }], errors: [] })
    expect(await page.evaluate('Object.keys(hermesCore).length')).toBeGreaterThan(20)
  })
})
