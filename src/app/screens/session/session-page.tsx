import type { ReactNode } from 'react';

/** The plain page of signing in and out: one panel, no menus. */
export function SessionPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex h-full items-start justify-center overflow-y-auto bg-canvas px-4 pt-[max(24px,14vh)] pb-8">
      <div className="w-full max-w-[380px]">
        <div className="mb-5 flex items-center gap-2.5">
          <img src="/icon.svg" alt="" width="32" height="32" />
          <span className="text-title font-semibold tracking-tight">Tieout</span>
        </div>
        <div className="rounded border border-line bg-surface p-6">
          <h1 className="mb-4 text-title font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
