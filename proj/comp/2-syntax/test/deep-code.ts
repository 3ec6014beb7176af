import type { GrammarId } from '../src/index.js'

const DEPTH = 10_000
/** For each language code of many levels, and how many definitions it has. */
export const DEEP: Record<GrammarId, [text: string, definitions: number]> = {
  typescript: ['function f() {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  tsx: [`${'{'.repeat(DEPTH)}let x = 1${'}'.repeat(DEPTH)}`, 1],
  javascript: [`const ${'['.repeat(DEPTH)}a${']'.repeat(DEPTH)} = b`, 1],
  python: [`x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`, 1],
  go: [`package m\nfunc f() ${'{'.repeat(DEPTH)}${'}'.repeat(DEPTH)}`, 1],
  rust: [`fn f() ${'{'.repeat(DEPTH)}${'}'.repeat(DEPTH)}`, 1],
  java: ['class A {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  c: [`int ${'*'.repeat(DEPTH)}p;`, 1],
  cpp: ['namespace a {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  csharp: ['class A {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  ruby: ['module A\n'.repeat(DEPTH) + 'end\n'.repeat(DEPTH), DEPTH],
  kotlin: [`val x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`, 1],
  swift: [`let x = ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, 1],
  scala: [`val x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`, 1],
  elixir: [`x = ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, 1],
  lua: [`x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`, 1],
  bash: ['f() {\n'.repeat(DEPTH) + ':\n' + '}\n'.repeat(DEPTH), DEPTH],
  php: [`<?php $x = ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)};`, 1],
}

export const NAMED = 'class Größe:\n    def 測定(self):\n        return "😀", x\n'
