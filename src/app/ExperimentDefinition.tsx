import { DefinitionTab } from '#src/features/experiments/definition/DefinitionTab.tsx'
import { VersionEffect } from '#src/features/results/compare/VersionEffect.tsx'

/** The definition; beside two versions of it stands what the change did to the results. */
export const ExperimentDefinition = () => <DefinitionTab VersionEffect={VersionEffect} />
