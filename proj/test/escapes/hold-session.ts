import { existsSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hermes, type ExecutorOptions } from '../../comp/5-executor/src/executor/index.js'

interface Input {
  answer: string
  options: ExecutorOptions
  /** A file that it makes when the answer has run, and one at which it ends. */
  ready: string
  end: string
}

/** A program that keeps its session open, as chats and servers do. */
const { answer, options, ready, end } = JSON.parse(await text(process.stdin)) as Input
const hermes = new Hermes({ ...options, approve: () => 'once' })
const result = await hermes.execute(answer)
writeFileSync(ready, JSON.stringify(result))
while (!existsSync(end)) await sleep(20)
await hermes[Symbol.asyncDispose]()
