/** The notices of all packages that became part of dist/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf } from './bundle.mjs'

/** @param paths files or directories of packages; others are passed over */
export function licenses(paths) {
  // Many have the same text: it stands below all of their names.
  const names = new Map()
  for (const directory of packagesOf(paths).sort()) {
    const { name, text } = noticeOf(directory)
    names.set(text, [...names.get(text) ?? [], name])
  }
  return [...names].map(([text, of]) => `${of.join('\n')}\n\n${text}`).join(`\n${'-'.repeat(80)}\n\n`)
}

function noticeOf(directory) {
  const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(directory).filter((entry) => /^(?:licen[cs]e|notice|copying)/i.test(entry)).sort()
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
  return { name: `${name} (${license})`, text }
}
