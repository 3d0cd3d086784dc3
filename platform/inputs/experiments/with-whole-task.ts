import type { Definition } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { repackTaskApart } from '#platform/inputs/tasks/read-tasks-apart.ts'
import { findWholeTask, type TaskKey, updateTaskFiles } from './packaged-task-store.ts'
import { findTaskFolder } from './read-task-folders.ts'
import { packageKey, stageBlob } from './stage-blob.ts'

type Version = { organizationId: string; definition: Definition; files: VersionFile[] }

/** A version with the whole task of one environment in the place of its outline, if a task folder has the environment. */
export async function withWholeTask<Stored extends Version>(
  db: Database,
  version: Stored,
  environment: string | null,
): Promise<Stored> {
  return (await findTask(db, version, environment))?.whole ?? version
}

/** The same for a run, whose package has the files of the task. The first run packs them. Throws `UnpackedTask` if it cannot. */
export async function withTaskPackage<Stored extends Version>(
  services: Pick<Services, 'db' | 'blobs'>,
  version: Stored,
  environment: string | null,
): Promise<Stored> {
  const found = await findTask(services.db, version, environment)
  if (!found) return version
  const files = found.files ?? (await packTask(services, found.key))
  return { ...found.whole, files: [...version.files, ...files] }
}

async function findTask<Stored extends Version>(db: Database, version: Stored, environment: string | null) {
  const folder = findTaskFolder(version, environment)
  if (!folder || environment === null) return null
  const key = { organizationId: version.organizationId, tarSha256: folder.tarSha256, name: environment }
  const task = await findWholeTask(db, key)
  if (!task) throw new Error(`The task folder ${folder.source} of a version was never read`)
  const prompts = new Map(task.whole.prompts.map((prompt) => [prompt.id, prompt]))
  const { definition } = version
  const whole: Definition = {
    ...definition,
    environments: definition.environments?.map((each) => (each.id === environment ? task.whole.environment : each)),
    prompts: definition.prompts?.map((prompt) => prompts.get(prompt.id) ?? prompt),
  }
  return { key, files: task.files, whole: { ...version, definition: whole } }
}

/** Why a run cannot have the files of its task. */
export class UnpackedTask extends Error {}

/** Two runs at once make the same files. */
async function packTask({ db, blobs }: Pick<Services, 'db' | 'blobs'>, key: TaskKey) {
  const tar = await blobs.get(packageKey(key.tarSha256))
  if (!tar) throw new UnpackedTask(`The task folder ${key.name} is no longer staged`)
  const { packages, refusal } = await repackTaskApart(key.organizationId, { name: key.name, tar })
  if (!packages) throw new UnpackedTask(`The task folder ${key.name} cannot run: ${refusal}`)
  const files: VersionFile[] = []
  for (const { source, dest, tar: packed } of packages)
    files.push({ source, dest, ...(await stageBlob({ db, blobs }, key.organizationId, packed)) })
  await updateTaskFiles(db, key, files)
  return files
}
