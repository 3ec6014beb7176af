/** Prints each test that failed and passed when it was tried again, with its first error: a defect to mend. */
import type { Reporter, TestModule } from 'vitest/node'

export default class RetryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')])
      .filter((test) => test.diagnostic()?.flaky)
    if (tests.length === 0) return
    console.log(`\nPassed at the second try: ${tests.length} tests`)
    for (const test of tests) {
      const [error] = test.result().errors ?? []
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}\n    ${error?.message ?? ''}\n${error?.diff ?? ''}`)
    }
  }
}
