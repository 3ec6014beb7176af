/** What one does with ripgrep: search for every word of the question, look first where most different ones stand. */
import { spawnSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

const STOP_WORDS = new Set([
  'all and any are can for from has have how into its not that the then this was what when where which will with',
].flatMap(words => words.split(' ')))

/** @returns lines and files that hold words of the question, those with most different ones first */
export function ripgrepByWords(directory, question) {
  const all = question.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  const words = new Set(all.filter(word => !STOP_WORDS.has(word)))
  if (words.size === 0) return { lines: [], files: [] }
  const args = ['--no-config', '--only-matching', '--ignore-case', '--fixed-strings', '--line-number', '--no-heading',
    '--with-filename', '--null', ...Array.from(words, word => `--regexp=${word}`), '.']
  const { stdout } = spawnSync(rgPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 1024 ** 3 })
  const [lines, files] = [new Map(), new Map()]
  for (const match of stdout.split('\n')) {
    const [, path, line, word] = /^\.[/\\]([^\0]+)\0(\d+):(.*)$/.exec(match) ?? []
    if (path === undefined) continue
    count(lines, `${path}\0${line}`, word)
    count(files, path, word)
  }
  return {
    lines: ordered(lines).map(key => key.split('\0')).map(([path, line]) => ({ path, line: Number(line) })),
    files: ordered(files),
  }
}

function count(places, key, word) {
  const place = places.get(key) ?? { words: new Set(), matches: 0 }
  place.words.add(word.toLowerCase())
  place.matches++
  places.set(key, place)
}

function ordered(places) {
  return [...places].sort(([key, one], [otherKey, other]) => (
    other.words.size - one.words.size || other.matches - one.matches || (key < otherKey ? -1 : 1)
  )).map(([key]) => key)
}
