/** The notices of all packages that became part of dist/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, root } from './bundle.mjs'

/** Of what packages have built, grammars mostly, and for which they carry no notice. */
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
  return withTermsOnce([...notices, readFileSync(OF_GRAMMARS, 'utf8')]).join(`\n${'-'.repeat(80)}\n\n`)
}

/** The terms of the Apache License, which several have in other white space: 10 KB each. */
const TERMS = /^[ \t]*Apache License\s+Version 2\.0, January 2004\s[^]*?\bEND OF TERMS AND CONDITIONS$/gm
const AT_THE_END = 'The terms of the Apache License, Version 2.0, which hold here, stand at the end of this file.'

/** Those terms once, at the end, in place of each text that is word for word the same. */
function withTermsOnce(notices) {
  let terms
  const words = (text) => text.replace(/\s+/g, ' ').trim()
  const shorter = notices.map((notice) => notice.replace(TERMS, (text) => {
    terms ??= text
    return words(text) === words(terms) ? AT_THE_END : text
  }))
  return terms === undefined ? shorter : [...shorter, `${terms}\n`]
}

function noticeOf(directory) {
  const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(directory).filter((entry) => /^(?:licen[cs]e|notice|copying)/i.test(entry)).sort()
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
  return { name: `${name} (${license})`, text }
}
