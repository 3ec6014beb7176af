import { setFlagsFromString } from 'node:v8'

/** Of V8 in Node 20: what a function of WebAssembly may run, in bytes, before V8 optimizes it. */
const USUAL_BUDGET = 1_800_000
/** Of V8 in later Nodes. */
const LATER_BUDGET = 13_000_000

let compiling = 0

/**
 * Compiles WebAssembly so that V8 optimizes what is in it as late as newer versions do: the parser of one small file
 * is optimized in Node 20, and a process that parses no more waits 50 ms for that at its end. What is compiled while
 * this goes on gets the same budget; V8 reads it then, and never again.
 */
export async function optimizedLater<Result>(compile: () => Promise<Result>): Promise<Result> {
  if (!process.versions.node.startsWith('20.')) return compile()
  if (compiling++ === 0) setFlagsFromString(`--wasm-tiering-budget=${LATER_BUDGET}`)
  try {
    return await compile()
  } finally {
    if (--compiling === 0) setFlagsFromString(`--wasm-tiering-budget=${USUAL_BUDGET}`)
  }
}
