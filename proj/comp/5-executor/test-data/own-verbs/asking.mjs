// An extension that brings verbs and makes of each call what its arguments say; it uses nothing of hermes.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { frame, readFrames } from '../extensions/frames.mjs'

// JSON: the verbs to bring.
const verbs = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const waiting = new Map()
const cancelled = new Set()
let last = 0

const send = (message) => process.stdout.write(frame(message))

const ask = (method, params) => new Promise((resolve) => {
  waiting.set(++last, resolve)
  send({ id: last, method, params })
})

async function carryOut(id, { verb, arguments: args, executionId, dryRun }) {
  const answers = []
  for (const { method, params = {}, anyway } of args.requests ?? []) {
    const answer = await ask(method, method.startsWith('fs/') ? { executionId, ...params } : params)
    answers.push(answer.error ?? answer.result)
    if (answer.error && !anyway) return send({ id, error: { ...answer.error, code: -32050 } })
  }
  if (args.fail) return send({ id, error: args.fail })
  if (args.die) process.exit(args.die)
  if (args.wait) {
    while (!cancelled.has(id)) await sleep(5)
    // Too late, and with an identity that is over.
    answers.push(await ask('fs/writeFile', { executionId, path: 'late.txt', content: 'late' }))
    process.stderr.write(`${JSON.stringify(answers)}\n`)
  }
  // Does not wait for their answers: all of it leaves in one piece.
  process.stdout.cork()
  for (const { method, params } of args.last ?? []) void ask(method, { executionId, ...params })
  send({ id, result: args.result ?? { verb, dryRun, answers } })
  process.stdout.uncork()
}

function take(message) {
  const { id, method, params } = message
  if (method === undefined) {
    waiting.get(id)?.(message)
    waiting.delete(id)
  } else if (method === 'initialize') {
    process.stderr.write('started\n')
    send({ id, result: { name: 'asking', capabilities: { commands: [], verbs } } })
  } else if (method === 'verb/execute') void carryOut(id, params)
  else if (method === '$/cancelRequest') cancelled.add(params.id)
  else if (method === 'shutdown') {
    send({ id, result: null })
    process.stdin.destroy()
  }
}

readFrames(take)
