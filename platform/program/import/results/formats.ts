import type { ResultFormat } from '#platform/program/import/reading/result-format.ts'
import { assayArchive } from '#platform/program/import/assay/assay-archive.ts'
import { aider } from '#platform/program/import/benchmarks/aider.ts'
import { humanEval } from '#platform/program/import/benchmarks/humaneval.ts'
import { lmEvaluationHarness } from '#platform/program/import/benchmarks/lm-evaluation-harness.ts'
import { miniSweAgent } from '#platform/program/import/benchmarks/mini-swe-agent.ts'
import { openhands } from '#platform/program/import/benchmarks/openhands.ts'
import { sweAgent } from '#platform/program/import/benchmarks/swe-agent.ts'
import { sweBench } from '#platform/program/import/benchmarks/swe-bench.ts'
import { harbor } from '#platform/program/import/harbor/harbor.ts'
import { inspect } from '#platform/program/import/inspect/inspect.ts'
import { promptfoo } from '#platform/program/import/promptfoo/promptfoo.ts'
import { claudeSession } from '#platform/program/import/sessions/claude-session.ts'
import { codexSession } from '#platform/program/import/sessions/codex-session.ts'
import { junitFiles } from '#platform/program/import/tables/junit-files.ts'
import { table } from '#platform/program/import/tables/table.ts'
import { terminalBench } from '#platform/program/import/terminal-bench/terminal-bench.ts'

/** Every format of results that the import reads. Where two are equally sure, the first one has the file. */
export const formats: readonly ResultFormat[] = [
  assayArchive,
  harbor,
  inspect,
  promptfoo,
  terminalBench,
  sweBench,
  sweAgent,
  miniSweAgent,
  openhands,
  aider,
  lmEvaluationHarness,
  humanEval,
  junitFiles,
  claudeSession,
  codexSession,
  table,
]
