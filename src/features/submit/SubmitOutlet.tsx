import { Outlet } from 'react-router'

import { SubmitDialog } from './SubmitDialog.tsx'

/** The pages of an experiment, with the dialog over them when the URL opens it. */
export const SubmitOutlet = () => (
  <>
    <Outlet />
    <SubmitDialog />
  </>
)
