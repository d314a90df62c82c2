<<<<<<<< HEAD:web/studio/dist/assets/events-DlNbPTF7.js
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{n as t}from"./jsx-runtime-C3cWAN_r.js";import{Y as n}from"./index-D2vN9HPX.js";var r=e(t(),1);function i(e,t,i){let a=n(),o=JSON.stringify(t),s=(0,r.useRef)(i);(0,r.useEffect)(()=>{s.current=i}),(0,r.useEffect)(()=>{let{unsubscribe:t}=a.subscription(e,JSON.parse(o)).subscribe(({data:e})=>{e&&s.current(e)});return t},[a,e,o])}export{i as t};
========
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{n as t}from"./jsx-runtime-C3cWAN_r.js";import{U as n}from"./index-R6VMdIev.js";var r=e(t(),1);function i(e,t,i){let a=n(),o=JSON.stringify(t),s=(0,r.useRef)(i);(0,r.useEffect)(()=>{s.current=i}),(0,r.useEffect)(()=>{let{unsubscribe:t}=a.subscription(e,JSON.parse(o)).subscribe(({data:e})=>{e&&s.current(e)});return t},[a,e,o])}export{i as t};
>>>>>>>> f51cf4de (studio: keep headings of attempts in order):web/studio/dist/assets/events-BaYVxsNc.js
