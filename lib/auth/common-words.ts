/**
 * The words of the passwords that are guessed first: from the lists of leaked passwords that are published every year,
 * without digits, signs and sequences of the keyboard (`weaknessOf` removes those too).
 */
export const commonWords: readonly string[] = `
abc abracadabra access admin administrateur administrator amanda america andrew android angel angels anthropic
apple april arsenal asd asdf ashley asshole august autumn azerty babygirl bailey banana barcelona baseball
basketball batman bear beautiful berlin bienvenue bitch blahblah blessed blink bonjour brasil buddy bullshit
business buster canada change changeme charlie chatgpt cheese chelsea chicken chocolate christ claude cobra
college company computer contrasena contraseña cookie corvette daniel darling database debian december default
demo deutschland diamond docker doctor donald dragon eagle edc england enter example facebook falcon family
february ferrari flower football forever fortnite france freedom friday friends frodo fuck fuckme fuckoff
fuckyou gandalf garfield gast geheim germany ginger github gitlab gmail god golden goofy google guest hallo
happy harley harry haslo heaven hello herbst hobbit hockey hogwarts honey hospital hotmail hunter ilove
iloveyou instagram internet iphone january jennifer jessica jesus jordan joshua july june juventus killer
letmein library linkedin linux lion liverpool login logon london love lovely loveyou lozinka lucky madrid
maggie manager manchester march master matrix matthew maverick max mercedes merlin mexico michael michelle
mickey microsoft minecraft monday monkey motdepasse mustang mysql naruto nicole ninja nobody nothing november
nurse october office open openai opensesame oracle orange outlook panther paris parola pass passw passwd
password passwort pepper phoenix please pokemon porsche postgres potter princess private public purple pussy
qazwsx qwe qwerty qwertz ramify ranger rfv robert roblox rocky root salasana sample samsung samurai saturday
school schweiz scooby scorpion secret secure security senha september server service sesame sexy shadow shit
silver smile snoopy soccer something sommer sophie spider spiderman spring starwars stella student summer
sunday sunny sunshine superman support sweetheart system teacher temp temporary test tester testing thomas
thunder thursday tiger tigger toor training trustno trustnoone tuesday tweety twitter ubuntu university
unknown user viper wachtwoord warrior wednesday welcome whatever willkommen windows winter wizard wolf wsx xyz
yahoo yamaha yellow youtube zxc zxcv
`
  .trim()
  .split(/\s+/)
