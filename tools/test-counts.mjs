import { existsSync, readFileSync } from 'node:fs'

const none = { passed: 0, failed: 0 }

export const addCounts = (a, b = none) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed })

/** A runner that ends before its first test writes no report. */
const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)

export function readVitestCounts(path) {
  const report = readReport(path)
  if (!report) return none
  // A file that failed to load has no failed test of its own.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

export function readPlaywrightCounts(path) {
  const stats = readReport(path)?.stats
  return stats ? { passed: stats.expected + stats.flaky, failed: stats.unexpected } : none
}
