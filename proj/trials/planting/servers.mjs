/** What hermes talks to in the trial: a scripted model, a server of tools, an extension. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const CLONE = fileURLToPath(new URL('../../..', import.meta.url))
const TOOL_SERVER = join(CLONE, 'proj/comp/5-executor/test-data/mcp-client/other-server.mjs')
const EXTENSION = join(CLONE, 'examples/extensions/tidy.py')

/** @returns the model's address, the file of the server of tools, and what ends and removes all of it */
export async function startServers() {
  const cache = join(CLONE, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'trial-'))
  await bundle(fileURLToPath(new URL('./model-entry.ts', import.meta.url)), join(out, 'model.mjs'))
  const toolServer = join(out, 'tool-server.mjs')
  await bundle(TOOL_SERVER, toolServer)
  const { startScriptedModel } = await import(pathToFileURL(join(out, 'model.mjs')).href)
  const model = await startScriptedModel()
  return {
    model: model.url, toolServer,
    async close() {
      await model.close()
      rmSync(out, { recursive: true, force: true })
    },
  }
}

/** The user's configuration, by names of programs, as users write it: the tools, an extension and hooks. */
export function configure({ home, outside }, toolServer) {
  const [server, extension] = [join(outside, 'tool-server.mjs'), join(outside, 'tidy.py')]
  copyFileSync(toolServer, server)
  copyFileSync(EXTENSION, extension)
  const directory = join(home, '.hermes')
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(join(directory, 'config.yaml'), [
    `mcp_servers:\n  other:\n    command: node\n    args: ['${server}']\n    calls: on`,
    `extensions:\n  tidy:\n    command: python3\n    args: ['${extension}']`,
    "hooks:\n  after_write:\n    - run: [cat, '{path}']",
    '  after:\n    - run: [canary-by-path]\n      continue_on_error: true\n',
  ].join('\n'), { mode: 0o600 })
}

async function bundle(input, file) {
  const built = await rolldown({
    cwd: CLONE, input, platform: 'node', logLevel: 'silent',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
  })
  await built.write({ file, format: 'esm', codeSplitting: false })
  await built.close()
}
