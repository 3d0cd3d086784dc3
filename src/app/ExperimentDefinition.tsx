import { DefinitionTab } from '#src/features/experiments/definition/DefinitionTab.tsx'
import { VersionEffect } from '#src/features/results/compare/VersionEffect.tsx'

export { loader } from '#src/features/experiments/definition/DefinitionTab.tsx'

/** The definition. When two versions are compared, it also shows how the change affected the results. */
export const Component = () => <DefinitionTab VersionEffect={VersionEffect} />
