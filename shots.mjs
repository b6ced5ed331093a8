import { chromium } from 'playwright';
const url='http://localhost:4201';
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']});
const ctx=await b.newContext({viewport:{width:1400,height:900}});
const p=await ctx.newPage();
p.on('pageerror',e=>console.log('ERR',e.message));p.on('console',m=>m.type()==='error'&&console.log('CON',m.text()));
await p.goto(url+'/login');
await p.getByLabel(/email/i).first().fill('admin@tieout.example');
await p.getByLabel(/password/i).first().fill('tieout-demo-admin-2026');
await p.keyboard.press('Enter');
await p.waitForURL(/home/,{timeout:60000}).catch(async()=>{console.log(p.url(), await p.locator('body').innerText())});
await p.waitForTimeout(4000);
const theme=t=>p.evaluate(v=>{document.body.classList.remove('light','dark');document.body.classList.add(v)},t);
async function shot(name){for(const t of ['light','dark']){await theme(t);await p.waitForTimeout(300);await p.screenshot({path:`/tmp/h-sort-shots/${name}-${t}.png`});}}
const places={clients:'/clients?sort=-unreconciled,aum',entities:'/entities?sort=client,-aum',users:'/users?sort=-signed_in',organizations:'/organizations',system:'/system?sort=-next_run,runs'};
for(const [size,vp] of [['wide',{width:1400,height:900}],['narrow',{width:390,height:844}]]){
 await p.setViewportSize(vp);
 for(const [n,path] of Object.entries(places)){await p.goto(url+path);await p.waitForTimeout(1500);await shot(n+'-'+size);}
 await p.goto(url+'/entities');await p.waitForTimeout(1200);
 await p.getByRole('link',{name:'Meridian Master Fund LP'}).first().click();await p.waitForURL(/entities\/.+/);await p.goto(p.url().split('?')[0]+'?sort=custodian,-value');await p.waitForTimeout(2500);
 await shot('entity-'+size);
 await p.getByRole('heading',{name:'Balances'}).scrollIntoViewIfNeeded();await p.waitForTimeout(300);await shot('balances-'+size);
}
await b.close();
