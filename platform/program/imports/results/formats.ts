import type { ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { assayArchive } from '#platform/program/import-formats/assay/assay-archive.ts'
import { aider } from '#platform/program/import-formats/benchmarks/aider.ts'
import { humanEval } from '#platform/program/import-formats/benchmarks/humaneval.ts'
import { lmEvaluationHarness } from '#platform/program/import-formats/benchmarks/lm-evaluation-harness.ts'
import { miniSweAgent } from '#platform/program/import-formats/benchmarks/mini-swe-agent.ts'
import { openhands } from '#platform/program/import-formats/benchmarks/openhands.ts'
import { sweAgent } from '#platform/program/import-formats/benchmarks/swe-agent.ts'
import { sweBench } from '#platform/program/import-formats/benchmarks/swe-bench.ts'
import { harbor } from '#platform/program/import-formats/harbor/harbor.ts'
import { inspect } from '#platform/program/import-formats/inspect/inspect.ts'
import { promptfoo } from '#platform/program/import-formats/promptfoo/promptfoo.ts'
import { claudeSession } from '#platform/program/import-formats/sessions/claude-session.ts'
import { codexSession } from '#platform/program/import-formats/sessions/codex-session.ts'
import { junitFiles } from '#platform/program/import-formats/tables/junit-files.ts'
import { table } from '#platform/program/import-formats/tables/table.ts'
import { terminalBench } from '#platform/program/import-formats/terminal-bench/terminal-bench.ts'

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
