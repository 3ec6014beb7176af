/**
 * The agent: when the first effect of an answer is on disk, against when its last token comes;
 * and what the loop itself takes.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from '../../dist/agent.js'

const BLOCKS = 10
/** As models write: a piece of about a token each so many milliseconds. */
const TOKEN = 4
const TOKEN_MS = 5
const ROUNDS = 5
const TURNS = 50

export default async function run() {
  const server = await startServer()
  try {
    const rounds = { blocks: [], native: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const style of ['blocks', 'native']) rounds[style].push(await firstEffect(server, style))
    }
    const [blocks, native] = [middle(rounds.blocks), middle(rounds.native)]
    const turn = await perTurn(server)
    return [
      {
        name: 'blocks: first file on disk, against the last token', value: blocks.first, unit: 'ms',
        against: blocks.last, target: 'before the last token',
      },
      { name: 'function calling: the same', value: native.first, unit: 'ms', against: native.last },
      { name: 'a turn with one call, server included', value: turn, unit: 'ms' },
    ]
  } finally {
    await server.close()
  }
}

/** @returns milliseconds from the request to the first file, and to the last token */
async function firstEffect(server, style) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  const agent = new Agent({
    model: style, baseURL: server.url, root, style, blocksFormat: 'tool_call', policy: false, gitCommit: false,
    quiet: true,
  })
  let first
  try {
    // The session, the package and the prompt are there: what is measured is the answer.
    await agent.chat('Are you there?')
    server.begin()
    const look = setInterval(() => {
      if (first === undefined && existsSync(join(root, 'f0.txt'))) first = performance.now()
    }, 1)
    await agent.chat('Write the files.')
    clearInterval(look)
    return { first: (first ?? performance.now()) - server.requestedAt, last: server.lastTokenAt - server.requestedAt }
  } finally {
    await agent[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
  }
}

async function perTurn(server) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  const agent = new Agent({
    model: 'turns', baseURL: server.url, root, maxTurns: TURNS + 1, policy: false, gitCommit: false, quiet: true,
  })
  try {
    await agent.chat('Are you there?')
    const startedAt = performance.now()
    await agent.chat('Write the files.')
    return (performance.now() - startedAt) / (TURNS + 1)
  } finally {
    await agent[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
  }
}

async function startServer() {
  const state = { requestedAt: 0, lastTokenAt: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { model, messages } = JSON.parse(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    const asked = messages.findLastIndex(({ content }) => content === 'Write the files.')
    const done = messages.length - 1 - asked
    if (asked >= 0 && model === 'turns' && done < 2 * TURNS) {
      send(
        { tool_calls: [{
          index: 0, id: `c${done}`,
          function: { name: 'write_file', arguments: JSON.stringify({ path: `f${done}.txt`, content: 'x' }) },
        }] },
        'tool_calls',
      )
    } else if (asked >= 0 && model !== 'turns' && done === 0) {
      state.requestedAt = performance.now()
      for (let at = 0; at < BLOCKS; at++) {
        const args = JSON.stringify({ path: `f${at}.txt`, content: `line ${at}\n`.repeat(20) })
        const text = model === 'blocks' ? `<tool_call>{"name": "write_file", "arguments": ${args}}</tool_call>\n` : args
        for (let from = 0; from < text.length; from += TOKEN) {
          const piece = text.slice(from, from + TOKEN)
          const call = {
            index: at, ...(from === 0 && { id: `c${at}` }),
            function: { ...(from === 0 && { name: 'write_file' }), arguments: piece },
          }
          send(model === 'blocks' ? { content: piece } : { tool_calls: [call] })
          await sleep(TOKEN_MS)
        }
      }
      state.lastTokenAt = performance.now()
      send({}, model === 'blocks' ? 'stop' : 'tool_calls')
    } else send({ content: 'Done.' }, 'stop')
    response.end('data: [DONE]\n\n')
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    begin() {
      state.requestedAt = state.lastTokenAt = 0
    },
    get requestedAt() {
      return state.requestedAt
    },
    get lastTokenAt() {
      return state.lastTokenAt
    },
    close: () => new Promise(resolve => {
      server.close(resolve)
      server.closeAllConnections()
    }),
  }
}

/** The round in the middle by its first effect. */
function middle(rounds) {
  return rounds.toSorted((one, other) => one.first - other.first)[Math.floor(rounds.length / 2)]
}
