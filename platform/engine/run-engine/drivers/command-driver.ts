import { join } from 'node:path'

import { skillFolder } from '#contract/task.ts'
import { ContentStopped } from '#platform/ground/content/content-job.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { makeRunFolders, materialize, writePlainFile } from '#platform/engine/workspace/materialize.ts'
import { compareApart, takeSnapshotApart } from '#platform/engine/run-engine/changes/record-changes-apart.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import type { Models } from '#platform/engine/run-engine/models/start-model-gateway.ts'
import type { Traces } from '#platform/engine/run-engine/traces/open-traces.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import type { GatewayUse } from '#platform/queue/agent-lines/agent.ts'
import { type AgentStart, startPreset } from '#platform/engine/run-engine/plan/presets/start-preset.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { asRunFailure, beforeAgent, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { openRunNetwork } from '#platform/engine/run-network/run-network.ts'
import { openPlace, type RunPlaces } from '#platform/engine/images/run-place.ts'
import { openServices } from '#platform/engine/run-engine/services/open-services.ts'
import { removeTestFiles, runTest, timeoutSecondsOf } from '#platform/engine/run-engine/captured-tests/run-test.ts'
import { maskOutput } from '#platform/engine/sandbox/mask-output.ts'
import { requireSandbox, requireStarted } from '#platform/engine/sandbox/require-sandbox.ts'
import type { RunFolders, Sandbox, SandboxCommand } from '#platform/engine/sandbox/sandbox.ts'
import { withOutput } from '#platform/queue/run-queue/with-output.ts'
import { inPlace } from '#platform/engine/workspace/workspace-path.ts'
import type { AgentEnd, Driver, StartClock } from './driver.ts'

type Options = {
  blobs: Services['blobs']
  places: RunPlaces
  egress: EgressSettings
  folder: string
  models: Models | null
  traces: Traces | null
  signal: AbortSignal
  startClock: StartClock
}

/** Runs the agent's command and the tests in the sandbox. `folder` belongs to this run and is removed at the end. */
export async function openCommandDriver(
  plan: RunPlan,
  { blobs, folder, models, traces, signal, places, egress, startClock }: Options,
): Promise<Driver> {
  if (plan.refusal) throw new RunFailure(plan.refusal)
  const agentEnv = { ...plan.agentEnv, ...models?.variables, ...traces?.variables }
  const agent = agentStart({ ...plan, agentEnv }, models !== null)
  requireSandbox(places)
  const folders = await makeRunFolders(folder)
  const owner = { id: plan.run.id, attempt: plan.run.attempt }
  const seconds = longestSeconds(plan)
  const hosts = plan.services.map(({ name }) => name)
  const named = hosts.length > 0 && { hosts }
  const place = await openPlace(places, plan.image, { folders, folder, signal, owner, seconds, ...named })
  const offline = maskOutput(place.sandbox, plan.masker)
  const { sandbox, join: joinNetwork, traffic, close } = openRunNetwork({ ...plan, hosts }, offline, egress)
  const wrap = (other: Sandbox) => joinNetwork(maskOutput(other, plan.masker))
  const services = openServices(plan.services, { place, wrap, folder, owner, seconds })
  const shared = { folders, forwards: [] }
  const watched = { workspace: folders.workspace, copies: join(folder, 'start') }
  let whyNotCompared: ContentStopped | null = null
  let hasSnapshot = false
  return {
    imageDigest: place.imageDigest,
    traffic,
    services: services.states,
    notes: services.notes,
    async setUp(signal) {
      await requireProgram(offline, folders, agent, signal)
      const prepare = async () => {
        await services.start(signal)
        await materialize(blobs, folders.workspace, setupFiles(plan), plan.files, signal)
        if (signal.aborted) return
        for (const argv of plan.task.setup.commands)
          await runSetupCommand(sandbox, { ...shared, argv, env: plan.env, signal }, startClock)
      }
      await prepare().catch((error: unknown) => {
        throw beforeAgent(error, 'setup_failed')
      })
      if (signal.aborted) return
      hasSnapshot = true
      await takeSnapshotApart(watched, signal).catch((error: unknown) => {
        if (!(error instanceof ContentStopped)) throw error
        whyNotCompared = error
      })
    },
    async setUpStep({ id, files, commands }, signal) {
      await materialize(blobs, folders.workspace, files, plan.files, signal)
      const env = { ...plan.env, ASSAY_STEP: id }
      for (const argv of commands) {
        if (signal.aborted) return
        await runSetupCommand(sandbox, { ...shared, argv, env, signal }, startClock)
      }
    },
    async runAgent(print, signal, step) {
      const prompt = step?.text ?? plan.prompt
      const promptFile = await fillHome(sandbox, folders, { prompt, files: agent.homeFiles })
      const ofStep = step && { ASSAY_STEP: step.id }
      const env = { ...agent.env, ...agentEnv, ...ofStep, ASSAY_PROMPT_FILE: promptFile }
      const forwards = [...(models?.forwards ?? []), ...(traces?.forwards ?? [])]
      // Aborting its signal would end the processes that the steps share.
      const limit = step?.maxTimeSeconds ? { timeoutMs: step.maxTimeSeconds * 1000 } : {}
      const command = { ...shared, forwards, argv: agent.argv, env, signal, ...limit }
      const reading = { onStdout: print, masksStdout: true }
      return runAgentCommand(sandbox, { ...command, ...reading, stdin: prompt }, startClock)
    },
    endProcesses: place.endProcesses,
    findChanges(signal) {
      if (whyNotCompared) throw whyNotCompared
      const { artifacts } = plan.task
      return hasSnapshot ? compareApart({ ...watched, artifacts, secrets: plan.masker.secrets }, signal) : null
    },
    runTest: (test, signal) => runTest({ blobs, sandbox, plan, folders }, test, signal),
    removeTestFiles: (tests) => removeTestFiles(folders.workspace, tests),
    async dispose() {
      try {
        await services.close().finally(place.release)
      } finally {
        close()
        // A folder that cannot be removed now is removed with the whole work folder at the next start.
        await removeFolder(folder).catch(() => {})
      }
    },
  }
}

/** Setup and agent share the run's time; each test has its own, and so has the start of each service. */
const longestSeconds = ({ budgetSeconds, task, services }: RunPlan) =>
  [...task.tests.map(timeoutSecondsOf), ...services.map(({ startSeconds }) => startSeconds)].reduce(
    (sum, seconds) => sum + seconds,
    budgetSeconds,
  )

function agentStart(plan: RunPlan, hasModels: boolean): AgentStart {
  const { run, command, preset, provider, agentEnv, masker } = plan
  if (preset) {
    const network = plan.network !== false
    const gateway = hasModels ? gatewayUseOf(plan) : null
    const facts = { mode: run.agentMode, model: run.model, env: agentEnv }
    const start = startPreset({ preset, provider, network, gateway, ...facts })
    // Every user can see a command line in the process list, and a file stays on the disk.
    if ([...start.argv, ...Object.values(start.homeFiles)].some(masker.finds))
      throw new RunFailure(`${preset} would expose a secret on its command line: write its base URL as plain text`)
    return start
  }
  if (!command) throw new RunFailure(`The agent ${run.agent} has neither a command nor a preset`)
  return { argv: command, env: {}, homeFiles: {}, needs: null }
}

/** Tools of the provider need the internet, and are not billed in tokens. */
function gatewayUseOf({ models, costLimits }: RunPlan): GatewayUse {
  const { models: allowed = null, allowsInternet = false, upstreams = {} } = models?.access ?? {}
  const isCharged = Object.values(upstreams).some(({ isManaged }) => isManaged)
  const isLimited = costLimits.run !== null || costLimits.request !== null
  return {
    callsOtherModels: (allowed?.length ?? 2) > 1,
    usesProviderTools: allowsInternet && !isCharged && !isLimited,
  }
}

/** Runs before setup, which may take long. Its message is clearer than the shell's. */
async function requireProgram(sandbox: Sandbox, folders: RunFolders, { needs }: AgentStart, signal: AbortSignal) {
  if (needs === null) return
  const search = ['sh', '-c', 'command -v "$0"', needs.program]
  const end = await sandbox.spawn({ argv: search, folders, env: {}, forwards: [], signal })
  requireStarted(end, 'The search for the agent’s program could not start')
  if (end.exitCode !== 0 && !end.stopped) throw new RunFailure(end.couldNotStart ?? needs.missing)
}

/**
 * Returns the path of the prompt inside the sandbox. A setup command can break the home folder so that no file fits in
 * it.
 */
async function fillHome(
  sandbox: Sandbox,
  folders: RunFolders,
  { prompt, files }: { prompt: string; files: AgentStart['homeFiles'] },
) {
  try {
    for (const [path, content] of Object.entries(files))
      await inPlace(folders.home, path, (place) => writePlainFile(place, content))
    return await writePrompt(sandbox, folders, prompt)
  } catch (error) {
    throw beforeAgent(asRunFailure(error, 'Cannot write the agent’s files to its home folder'), 'agent_not_started')
  }
}

const setupFiles = ({ task: { files, setup } }: RunPlan) => [
  ...files,
  ...setup.files,
  ...setup.skills.map(({ name, source }) => ({ dest: skillFolder(name), source })),
]

/**
 * Writes the prompt to the home folder, so that the workspace contains only the definition's files. Returns its path
 * inside the sandbox.
 */
async function writePrompt(sandbox: Sandbox, folders: RunFolders, prompt: string) {
  const fileName = 'assay-prompt.txt'
  // Setup or the image may have left a link there, which would lead the service to any file of the host.
  await inPlace(folders.home, fileName, (place) => writePlainFile(place, prompt))
  return join(sandbox.inside(folders).home, fileName)
}

async function spawnTimed(sandbox: Sandbox, command: SandboxCommand, startClock: StartClock) {
  const stop = startClock()
  return sandbox.spawn({ ...command, onExit: stop }).finally(stop)
}

async function runSetupCommand(sandbox: Sandbox, command: SandboxCommand, startClock: StartClock) {
  const output = createTail()
  const end = await spawnTimed(sandbox, { ...command, onStdout: output.push, onStderr: output.push }, startClock)
  requireStarted(end, `Setup command ${command.argv.join(' ')} could not start`)
  if (end.stopped || end.exitCode === 0) return
  const what = end.couldNotStart ?? end.exceeded ?? `exit code ${end.exitCode}`
  throw new RunFailure(withOutput(`Setup command ${command.argv.join(' ')} failed: ${what}`, output.text()))
}

async function runAgentCommand(sandbox: Sandbox, command: SandboxCommand, startClock: StartClock): Promise<AgentEnd> {
  const stderr = createTail()
  const end = await spawnTimed(sandbox, { ...command, onStderr: stderr.push }, startClock)
  requireStarted(end, 'The agent could not start')
  if (end.couldNotStart)
    throw beforeAgent(new RunFailure(`The agent could not start: ${end.couldNotStart}`), 'agent_not_started')
  if (end.exceeded) throw new RunFailure(`The agent was stopped: ${end.exceeded}`)
  const { exitCode, durationMs } = end
  const seconds = durationMs / 1000
  if (end.timedOut) return { exitCode: null, seconds, note: null, timedOut: true }
  if (end.stopped || exitCode === 0) return { exitCode, seconds, note: null }
  return { exitCode, seconds, note: withOutput(`The agent exited with code ${exitCode}`, stderr.text()) }
}
