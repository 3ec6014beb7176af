/** What models are sent, in tokens of o200k: prompts, lists of tools, feedback and replies. */
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getEncoding } from 'js-tiktoken'
import { rolldown } from 'rolldown'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const CORPUS = new URL('../comp/6-agent/test-data/agent/repair.cases.md', import.meta.url)
/** Counted once, with where the texts are from; they are other people's, so only their sizes are kept. */
const OTHERS = JSON.parse(readFileSync(new URL('support/prompts-of-others.json', import.meta.url), 'utf8'))
const BUDGETS = [2000, 8000, 32_000]
const TOOLSETS = [undefined, 'core', 'read-only', 'edit', 'execute', 'git', 'clada', 'hermes']

const DEFAULTS = /^(?:sham|envelope|tool_call), by default$/
const WORDS = { feedback: 'feedback', reply: 'replies', mended: 'what has to be written again' }

const encoding = getEncoding('o200k_base')

export default async function run() {
  const { prompts, faults, readings, remove } = await texts()
  try {
    return [
      ...(await prompts()).map(({ name, text }) => ({
        name: `prompt: ${name}`, ...counted(text), ...(DEFAULTS.test(name) && { target: '≤ 1,500' }),
      })),
      ...OTHERS.map(({ name, tokens }) => ({ name: `prompt of others: ${name}`, value: tokens, unit: 'tokens' })),
      ...await toolLists(),
      ...ofFaults(await faults(CORPUS)),
      ...(await readings(PROJECT, BUDGETS)).flatMap(({ name, replies }) => BUDGETS.map(budget => (
        { name: `reply within ${budget.toLocaleString('en')}: ${name}`, ...counted(replies[budget]), target: `≤ ${budget.toLocaleString('en')}` }
      ))),
    ]
  } finally {
    remove()
  }
}

function ofFaults(faults) {
  const sum = name => faults.reduce((all, fault) => all + count(fault[name]), 0)
  return [
    ...faults.map(({ name, feedback, reply }) => (
      { name: `fault, reply against feedback: ${name}`, ...counted(reply), against: count(feedback) }
    )),
    ...['feedback', 'reply', 'mended'].map(name => (
      { name: `all faults, ${WORDS[name]} against the answers`, value: sum(name), unit: 'tokens', against: sum('answer') }
    )),
  ]
}

function count(text) {
  return encoding.encode(text, [], []).length
}

function counted(text) {
  return { value: count(text), unit: 'tokens' }
}

/** `tools/list` of `hermes mcp`, as a client gets it. */
async function toolLists() {
  const figures = []
  for (const toolset of TOOLSETS) {
    const list = JSON.stringify(await listTools(toolset === undefined ? [] : ['--toolset', toolset]))
    const name = `tools/list: ${toolset ?? 'by default'}`
    const target = toolset === undefined ? '≤ 24 KB' : undefined
    figures.push(
      { name, value: Buffer.byteLength(list) / 1000, unit: 'KB', ...(target && { target }) }, { name, ...counted(list) },
    )
  }
  return figures
}

async function listTools(args) {
  const child = spawn(process.execPath, [join(PROJECT, 'dist', 'cli.cjs'), 'mcp', '--sandbox', 'none', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  send({ id: 1, method: 'initialize', params: hello })
  try {
    for await (const line of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(line)
      if (id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list', params: {} })
      }
      if (id === 2) return result.tools
    }
    throw new Error('hermes mcp gave no list of tools')
  } finally {
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  }
}

/** The part that reads sources: bundled, since Node runs no TypeScript. */
async function texts() {
  const cache = join(PROJECT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'bench-'))
  const built = await rolldown({
    cwd: PROJECT, input: fileURLToPath(new URL('support/tokens-entry.ts', import.meta.url)), platform: 'node',
    external: [/^node:/, 'typescript', /ripgrep/, /^openai/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return {
    ...await import(pathToFileURL(join(out, 'entry.mjs')).href),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
