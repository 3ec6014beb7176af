import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { closing, fillFrom, replaceByTemp } from '../../../2-files/src/index.js'
import { gitFailure, runGit } from '../../../2-git/src/index.js'

/** As git keeps them: nobody writes an object a second time. */
const MODE = 0o444
/** Largest pack that is taken over, in bytes: it is held in memory meanwhile. */
const MOST_PACK = 512 * 2 ** 20
const HASHES: Readonly<Record<number, string>> = { 40: 'sha1', 64: 'sha256' }

/**
 * Takes the objects that a command made into the repository: those alone that are what their names say, so that no
 * object can be put in the place of another.
 *
 * @param cwd a directory of the work tree
 * @throws HermesError `POLICY_DENIED` for what is no such object
 */
export async function takeObjects(from: string, to: string, cwd: string): Promise<void> {
  for (const directory of readdirSync(from).filter(name => /^[0-9a-f]{2}$/.test(name))) {
    for (const rest of orNothing(() => readdirSync(join(from, directory)), [])) {
      const name = directory + rest
      const target = join(to, directory, rest)
      if (!/^[0-9a-f]+$/.test(name) || HASHES[name.length] === undefined || existsSync(target)) continue
      const source = join(from, directory, rest)
      if (!(await isObject(source, name))) throw notAnObject(name)
      mkdirSync(join(to, directory), { recursive: true })
      closing(openSync(source, 'r'), file => replaceByTemp(target, { mode: MODE, fill: fillFrom(file) }))
    }
  }
  for (const name of orNothing(() => readdirSync(join(from, 'pack')), []).filter(file => file.endsWith('.pack'))) {
    if (!existsSync(join(to, 'pack', name))) await takePack(join(from, 'pack', name), name, cwd)
  }
}

/** Whether the name is the hash of what the file holds. */
async function isObject(path: string, name: string): Promise<boolean> {
  const hash = createHash(HASHES[name.length] ?? 'sha1')
  try {
    const content: Readable = createReadStream(path).pipe(createInflate())
    for await (const chunk of content) hash.update(chunk as Buffer)
  } catch (error) {
    if (isNodeError(error)) return false
    throw error
  }
  return hash.digest('hex') === name
}

/** Git itself counts the hashes again, and makes the index. */
async function takePack(path: string, name: string, cwd: string): Promise<void> {
  if (statSync(path).size > MOST_PACK) {
    const message = `${name}: a pack of more than ${MOST_PACK / 2 ** 20} MiB is not taken over`
    throw new HermesError('POLICY_DENIED', message, {
      hint: 'Nothing of git has changed. Ask the user to do it.',
    })
  }
  const output = await runGit(['index-pack', '--stdin'], {
    verb: 'git', cwd, input: readFileSync(path), signal: new AbortController().signal,
  })
  if (output.exitCode !== 0) throw gitFailure('git', output)
}

function notAnObject(name: string): HermesError {
  const message = `the command wrote an object of git that is not what its name says: ${name}`
  return new HermesError('POLICY_DENIED', message, {
    hint: 'Nothing of git has changed. Let git itself write its objects.',
  })
}
