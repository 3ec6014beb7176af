/** Prints each skipped test with its reason, after all others. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { isMissing, mendOf } from './needs.js'

const REASON = / \(needs ([^()]+)\)/g

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length === 0) return
    const byReason = new Map<string, TestCase[]>()
    for (const test of skipped) {
      const needs = [...test.fullName.matchAll(REASON)].flatMap(([, names = '']) => names.split(', '))
      const reason = [...new Set(needs)].filter(isMissing).join(', ') || 'something else'
      byReason.set(reason, [...byReason.get(reason) ?? [], test])
    }
    console.log(`\nSkipped: ${skipped.length} tests`)
    for (const [reason, tests] of byReason) {
      const mends = reason.split(', ').flatMap((need) => mendOf(need) ?? [])
      console.log(`\n  needs ${reason}${mends.length === 0 ? '' : `: ${mends.join('; ')}`}`)
      for (const test of tests) console.log(`    ${test.module.relativeModuleId} > ${test.fullName.replace(REASON, '')}`)
    }
  }
}
