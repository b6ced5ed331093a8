import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Notices } from './notices.tsx';
import type { AppRouter } from './router.tsx';
import { type Services, ServicesProvider } from './services.tsx';
import { UpdatePrompt } from './shell/update-prompt.tsx';

export function App({ services, router }: { services: Services; router: AppRouter }) {
  return (
    <ServicesProvider value={services}>
      <QueryClientProvider client={services.queries}>
        <RouterProvider router={router} />
        <Notices />
        <UpdatePrompt />
      </QueryClientProvider>
    </ServicesProvider>
  );
}
