/** The notices of all packages that became part of dist/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, root } from './bundle.mjs'

/** Of grammars that packages have built, and for which they carry no notice. */
const OF_GRAMMARS = join(root, 'proj', 'scripts', 'build', 'grammar-licenses.txt')

/** @param paths files or directories of packages; others are passed over */
export function licenses(paths) {
  // Many have the same text: it stands below all of their names.
  const names = new Map()
  for (const directory of packagesOf(paths).sort()) {
    const { name, text } = noticeOf(directory)
    names.set(text, [...names.get(text) ?? [], name])
  }
  const notices = [...names].map(([text, of]) => `${of.join('\n')}\n\n${text}`)
  return [...notices, readFileSync(OF_GRAMMARS, 'utf8')].join(`\n${'-'.repeat(80)}\n\n`)
}

function noticeOf(directory) {
  const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(directory).filter((entry) => /^(?:licen[cs]e|notice|copying)/i.test(entry)).sort()
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
  return { name: `${name} (${license})`, text }
}
