/** The notices of all packages that became part of dist/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf } from './bundle.mjs'

/** @param paths files or directories of packages; others are passed over */
export function licenses(paths) {
  return packagesOf(paths).sort().map(noticeOf).join(`\n${'-'.repeat(80)}\n\n`)
}

function noticeOf(directory) {
  const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(directory).filter((entry) => /^(?:licen[cs]e|notice|copying)/i.test(entry)).sort()
  return `${name} (${license})\n\n${files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')}`
}
