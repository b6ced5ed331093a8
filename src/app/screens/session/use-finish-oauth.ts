import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '#contract/errors.ts';
import { finishOauth } from '#contract/oauth.ts';
import { useServices } from '#app/services.tsx';
import { enter, refusalText } from './enter.ts';
import { type OauthSearch, providerProblem } from './oauth-answer.ts';

export interface OauthRefusal {
  text: string;
  /** The provider knows them, and nobody here does. */
  isUnknown: boolean;
}

function refusalIn(search: OauthSearch): OauthRefusal | null {
  const text = providerProblem(search);
  return text === null ? null : { text, isUnknown: false };
}

/** Ends the sign-in the provider sent back, once, and opens the app. @returns what went wrong; null while it is under way. */
export function useFinishOauth(search: OauthSearch): OauthRefusal | null {
  const services = useServices();
  const router = useRouter();
  // the address as it was on arrival: it is good for one question
  const [given] = useState(search);
  const [refusal, setRefusal] = useState(() => refusalIn(given));
  useEffect(() => {
    const { code, state, iss } = given;
    if (refusalIn(given) !== null || code === undefined || state === undefined) return;
    const ask = () => services.call(finishOauth, { code, state, iss, shared_computer: services.session.sharedChoice() });
    enter(services, router, { ask }).catch((error: unknown) =>
      setRefusal({ text: refusalText(error), isUnknown: error instanceof ApiError && error.code === 'not_authenticated' }),
    );
  }, [given, services, router]);
  return refusal;
}
