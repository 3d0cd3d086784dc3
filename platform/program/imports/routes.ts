import * as contract from '#contract/imports.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { addFiles, createImport } from './add-files.ts'
import { deleteImport } from './discard-import.ts'
import { previewImport, startImport, undoImport } from './steer-import.ts'
import { getImport, listImports } from './to-import.ts'

export const importRoutes = [
  serve(contract.listImports, listImports),
  serve(contract.createImport, createImport, requirePerson),
  serve(contract.getImport, getImport),
  serve(contract.addImportFiles, addFiles, requirePerson),
  serve(contract.previewImport, previewImport, requirePerson),
  serve(contract.startImport, startImport, requirePerson),
  serve(contract.undoImport, undoImport, requirePerson),
  serve(contract.deleteImport, deleteImport, requirePerson),
]
