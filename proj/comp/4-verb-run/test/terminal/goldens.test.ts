import { expect, it } from 'vitest'
import { readGoldens, type GoldenCase } from '../../../../test/support/goldens.js'
import { needing } from '../../../../test/support/needs.js'
import { BACKENDS, on, usePlaces } from './support/backends.js'
import { shownResults } from './support/shown-results.js'

const cases = (name: string) => readGoldens(new URL(`../../test-data/terminal/${name}.cases.md`, import.meta.url))
/** Those that are tried wherever shells run, and those that are the same there since nothing in them depends on it. */
const [EVERYWHERE, ONCE] = [cases('places'), cases('verbs')]
/** What is not tried in the stand-in of docker, where each shell costs two more processes: it runs in the shell as elsewhere. */
const NOT_IN_DOCKER = ['terminal_input', 'terminal_background']
/** Small, so that a golden shows what is left of long output. */
const LIMITS = { maxOutputBytes: 200 }

/** The results of a case: those of the backend where the golden names it, else those of all. */
function expected({ fences }: GoldenCase, backend: string): string | undefined {
  const of = (words: string): string | undefined => fences.find(({ info }) => info === words)?.body
  return of(`text results ${backend}`) ?? of('text results')
}

/** The terminal echoes a Ctrl-C, before other output or after it, unless the program that it ends has put the echo off. */
const withoutEcho = (text = ''): string => text.replace(/^([|>] )\^C/gm, '$1').replace(/^[|>] \n/gm, '')

needing('node-pty').describe('blocks of terminals', () => {
  const places = usePlaces()
  for (const backend of BACKENDS) {
    on(backend).describe(`run on ${backend}`, () => {
      const own = backend === 'docker' ? EVERYWHERE.filter(({ group }) => !NOT_IN_DOCKER.includes(group)) : EVERYWHERE
      it.each(backend === 'none' ? [...own, ...ONCE] : own)('$name', async (golden) => {
        const { hermes, there } = await places.open(backend, { limits: LIMITS })
        const answers = golden.fences.filter(({ info }) => info === 'markdown answer')
        const shown: string[] = []
        for (const { body } of answers) shown.push(shownResults(await hermes.execute(body), backend, there))
        await hermes[Symbol.asyncDispose]()
        expect(withoutEcho(shown.join('\n'))).toBe(withoutEcho(expected(golden, backend)))
      })
    // All at once: most of their time they wait.
    }, { concurrent: true })
  }
})
